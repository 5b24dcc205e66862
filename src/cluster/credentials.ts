import { checkOptions, checkValue } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { clusterAdmin } from "../apimachinery/user-info.ts";
import type { ClientCertificate } from "../authentication/certificates/issue-client-certificate.ts";
import { isSameToken } from "../authentication/contract/token-table.ts";
import { StaticTokens } from "../authentication/static-token.ts";
import { credentialOptionTypes } from "./authentication-options.ts";
import type { CertificateOptions, TokenOptions } from "./method-options.ts";
import type { Config } from "./options.ts";

/** The life of a certificate without `expirationSeconds`, as kubeadm issues them. */
const yearSeconds = 365 * 24 * 60 * 60;

/** Issues the credentials of the users of one cluster. */
export class ClusterCredentials {
  readonly #config: Pick<Config, "authentication" | "clock">;
  readonly tokens: StaticTokens;
  #adminToken: string | undefined;

  constructor(config: Pick<Config, "authentication" | "clock">) {
    this.#config = config;
    this.tokens = new StaticTokens(config.clock);
  }

  /** A bearer token of an administrator. */
  adminToken(): string {
    this.#adminToken ??= this.tokens.issue(clusterAdmin);
    return this.#adminToken;
  }

  /** Whether this is the token of `adminToken`. */
  isAdminToken(token: string): boolean {
    return this.#adminToken !== undefined && isSameToken(this.#adminToken, token);
  }

  /** A bearer token that authenticates as this user. */
  token(name: string, options: TokenOptions): string {
    checkValue("the name of a user", name, text);
    checkOptions("user options", options, credentialOptionTypes);
    const { groups = [], uid = "", expirationSeconds = Number.POSITIVE_INFINITY } = options;
    return this.tokens.issue({ name, uid, groups, extra: {} }, expirationSeconds * 1000);
  }

  /** A certificate that authenticates as this user on a port, and its key. */
  async certificate(name: string, options: CertificateOptions): Promise<ClientCertificate> {
    checkValue("the name of a user", name, text);
    checkOptions("certificate options", options, credentialOptionTypes);
    const { groups = [], uid = "", expirationSeconds = yearSeconds } = options;
    const { authentication, clock } = this.#config;
    const subject = { commonName: name, organizations: groups, uid };
    const { issueClientCertificate } = await import(
      "../authentication/certificates/issue-client-certificate.ts"
    );
    const times = { now: clock.now(), lifetime: expirationSeconds * 1000 };
    return issueClientCertificate(authentication.certificateAuthority, subject, times);
  }
}
