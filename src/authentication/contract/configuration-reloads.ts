/** How often the configuration of authentication was read again because its text had changed. */
export interface ConfigurationReloads {
  /** The hash of the server's name, for labels. */
  readonly serverHash: string;
  /** The hash of the text in use. */
  readonly configurationHash: string;
  readonly success: ReloadCount;
  readonly failure: ReloadCount;
}

export interface ReloadCount {
  readonly count: number;
  /** In seconds since the epoch; 0 if there was none. */
  readonly last: number;
}
