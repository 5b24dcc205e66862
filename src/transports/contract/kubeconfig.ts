/** The contents of a kubeconfig. */
export interface KubeconfigOptions {
  /** The URL of the server. */
  readonly server: string;
  /** The trusted authority as base64 of its PEM. Default: the system's certificates. */
  readonly certificateAuthorityData?: string;
  /** A bearer token. Default: none, which makes the client anonymous. */
  readonly token?: string;
  /** The namespace of commands that do not name one. Default: the client's own default. */
  readonly namespace?: string;
  /** The name of the user. Default: `kubedouble`. */
  readonly user?: string;
  /** The name of the cluster, and of the context. Default: `kubedouble`. */
  readonly cluster?: string;
}

/** The YAML of a kubeconfig with one cluster, one user and one context. */
export function kubeconfig(options: KubeconfigOptions): string {
  const { cluster = "kubedouble", user = "kubedouble" } = options;
  const lines = [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    `- name: ${scalar(cluster)}`,
    "  cluster:",
    `    server: ${scalar(options.server)}`,
    ...optional("    certificate-authority-data", options.certificateAuthorityData),
    "contexts:",
    `- name: ${scalar(cluster)}`,
    "  context:",
    `    cluster: ${scalar(cluster)}`,
    `    user: ${scalar(user)}`,
    ...optional("    namespace", options.namespace),
    `current-context: ${scalar(cluster)}`,
    "preferences: {}",
    "users:",
    `- name: ${scalar(user)}`,
    ...(options.token === undefined ? ["  user: {}"] : ["  user:", `    token: ${scalar(options.token)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function optional(key: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${key}: ${scalar(value)}`];
}

/** A JSON string is a YAML scalar, except for characters that JSON leaves unescaped and YAML reads as line breaks or rejects. */
function scalar(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
