import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import type { RequestHeaderConfig } from "../authentication/contract/authentication-config.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { checkAuthorities, pemText, presentText } from "./pem-option.ts";

/** The options of a proxy in front of the server that names the user in headers. */
export interface RequestHeaderOptions {
  /**
   * PEM of the authorities for the certificates of proxies, or a function that returns the present PEM: `--requestheader-client-ca-file`. Default:
   * no proxy may name users.
   */
  readonly requestheaderClientCa?: string | (() => string);
  /** The common names that certificates of proxies may have: `--requestheader-allowed-names`. Default: any. */
  readonly requestheaderAllowedNames?: readonly string[];
  /** The headers with the user's name, the first of which counts: `--requestheader-username-headers`. Default: none. */
  readonly requestheaderUsernameHeaders?: readonly string[];
  /** The headers with the user's groups: `--requestheader-group-headers`. Default: none. */
  readonly requestheaderGroupHeaders?: readonly string[];
  /** What the names of headers with extras start with: `--requestheader-extra-headers-prefix`. Default: none. */
  readonly requestheaderExtraHeadersPrefix?: readonly string[];
  /**
   * The headers with the user's uid, among them `X-Remote-Uid`: `--requestheader-uid-headers`. They need the gate
   * RemoteRequestHeaderUID. Default: none.
   */
  readonly requestheaderUidHeaders?: readonly string[];
}

/** What each option accepts. */
export const requestHeaderOptionTypes: {
  readonly [option in keyof Required<RequestHeaderOptions>]: OptionType;
} = {
  requestheaderClientCa: pemText,
  requestheaderAllowedNames: listOf(text),
  requestheaderUsernameHeaders: listOf(text),
  requestheaderGroupHeaders: listOf(text),
  requestheaderExtraHeadersPrefix: listOf(text),
  requestheaderUidHeaders: listOf(text),
};

/**
 * Sets the defaults of the options; undefined without a proxy.
 * @throws {Error} with upstream's text (apiserver, pkg/server/options/authentication.go), and for options that have no effect without an
 * authority
 */
export function completeRequestHeaderOptions(
  options: RequestHeaderOptions,
  title: OptionTitle,
  gates: Pick<FeatureGates, "isEnabled">,
): RequestHeaderConfig | undefined {
  checkHeaders(options, title, gates);
  const { requestheaderClientCa: clientCa } = options;
  if (clientCa === undefined) return undefined;
  checkAuthorities(presentText(clientCa), title("requestheaderClientCa"));
  return {
    clientCa: () => presentText(clientCa),
    allowedNames: options.requestheaderAllowedNames ?? [],
    usernameHeaders: options.requestheaderUsernameHeaders ?? [],
    uidHeaders: options.requestheaderUidHeaders ?? [],
    groupHeaders: options.requestheaderGroupHeaders ?? [],
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix ?? [],
  };
}

const lists = [
  ["requestheaderUsernameHeaders", "requestheader-username-headers"],
  ["requestheaderGroupHeaders", "requestheader-group-headers"],
  ["requestheaderExtraHeadersPrefix", "requestheader-extra-headers-prefix"],
  ["requestheaderAllowedNames", "requestheader-allowed-names"],
  ["requestheaderUidHeaders", "requestheader-uid-headers"],
] as const;

function checkHeaders(
  options: RequestHeaderOptions,
  title: OptionTitle,
  gates: Pick<FeatureGates, "isEnabled">,
): void {
  for (const [option, flag] of lists) {
    const values = options[option] ?? [];
    if (values.some((value) => value.trim() === "")) {
      throw new Error(`${title(option)}: empty value in "${flag}"`);
    }
    if (values.length > 0 && options.requestheaderClientCa === undefined) {
      throw new Error(`${title(option)} has no effect without ${title("requestheaderClientCa")}`);
    }
  }
  const uids = options.requestheaderUidHeaders ?? [];
  const problem = uids.length === 0 ? undefined : uidProblem(uids, gates);
  if (problem !== undefined) {
    throw new Error(`${title("requestheaderUidHeaders")}: --requestheader-uid-headers ${problem}`);
  }
}

function uidProblem(headers: readonly string[], gates: Pick<FeatureGates, "isEnabled">): string | undefined {
  if (!gates.isEnabled("RemoteRequestHeaderUID")) {
    return 'requires the "RemoteRequestHeaderUID" feature to be enabled';
  }
  if (headers.some((header) => header.toLowerCase() === "x-remote-uid")) return undefined;
  return "is set without specifying the standard X-Remote-Uid header - API aggregation will not work";
}
