/** What an authority certifies. Names, keys and extensions are DER. */
export interface CertificateTemplate {
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The authority of a cluster for the certificates of its clients and kubelets. Its key is generated when it issues first. */
export interface CertificateAuthority {
  /** The PEM of its certificate; empty until it has a key. */
  readonly pem: () => string;
  /** A certificate in PEM. */
  readonly issue: (template: CertificateTemplate) => Promise<string>;
}
