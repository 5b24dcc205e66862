import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import type { ClusterOptions } from "../cluster/options.ts";
import type { KubeconfigFile } from "../webhooks/webhook-target.ts";
import { FlagError } from "./flag-error.ts";

/** The files that flags of authentication name, also of that at other servers. */
export interface AuthenticationFiles {
  readonly clientCa: string | undefined;
  readonly requestheaderClientCa: string | undefined;
  readonly proxyClientCert: string | undefined;
  readonly proxyClientKey: string | undefined;
  readonly tokenWebhook: string | undefined;
  readonly serviceAccountKeys: readonly string[];
  readonly serviceAccountSigningKey: string | undefined;
  readonly oidcCa: string | undefined;
  readonly authenticationConfiguration: string | undefined;
}

/** The options with the texts of these files. @throws {FlagError} that names the flag, for a file that cannot be read */
export function readAuthenticationFiles(files: AuthenticationFiles): Partial<ClusterOptions> {
  const { clientCa, requestheaderClientCa: proxyCa, tokenWebhook } = files;
  const { serviceAccountKeys: keys, serviceAccountSigningKey: signingKey } = files;
  const { proxyClientCert: proxyCert, proxyClientKey: proxyKey } = files;
  const { oidcCa, authenticationConfiguration: configuration } = files;
  const options: ClusterOptions = {
    ...(clientCa !== undefined && { clientCa: currentText("client-ca-file", clientCa) }),
    ...(proxyCa !== undefined && {
      requestheaderClientCa: currentText("requestheader-client-ca-file", proxyCa),
    }),
    ...(proxyCert !== undefined && { proxyClientCert: textOfFile("proxy-client-cert-file", proxyCert) }),
    ...(proxyKey !== undefined && { proxyClientKey: textOfFile("proxy-client-key-file", proxyKey) }),
    ...(tokenWebhook !== undefined && {
      authenticationTokenWebhookConfig: kubeconfigFile(
        "authentication-token-webhook-config-file",
        tokenWebhook,
      ),
    }),
    ...(keys.length > 0 && {
      serviceAccountKeys: keys.map((path) => textOfFile("service-account-key-file", path)),
    }),
    ...(signingKey !== undefined && {
      serviceAccountSigningKey: textOfFile("service-account-signing-key-file", signingKey),
    }),
    ...(oidcCa !== undefined && { oidcCa: textOfFile("oidc-ca-file", oidcCa) }),
    ...(configuration !== undefined && {
      authenticationConfiguration: currentText("authentication-config", configuration),
    }),
  };
  return options;
}

/** A file in the format of a kubeconfig. It names others relative to itself. @throws {FlagError} */
export function kubeconfigFile(flag: string, path: string): KubeconfigFile {
  return {
    text: textOfFile(flag, path),
    readFile: (named) => readFileSync(resolve(dirname(path), named), "utf8"),
  };
}

/** @throws {FlagError} that names the flag */
export function textOfFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new FlagError(`--${flag}: ${messageOf(error)}`);
  }
}

/** How long a file is not looked at again, in milliseconds. */
const pauseMilliseconds = 1000;

/**
 * The present text of a file, which may change while the server runs. A file that cannot be read any more keeps its text, as
 * in kube-apiserver. @throws {FlagError} for a file that cannot be read at first
 */
export function currentText(flag: string, path: string): () => string {
  const present = presentText(flag, path);
  let text = present();
  let looked = Date.now();
  return () => {
    if (Date.now() - looked < pauseMilliseconds) return text;
    looked = Date.now();
    try {
      text = present();
    } catch {
      // It may be in the middle of a replacement.
    }
    return text;
  };
}

/** Reads a file when it has changed. The result throws if it cannot be read. @throws {FlagError} for a file that cannot be read at first */
export function presentText(flag: string, path: string): () => string {
  let text = textOfFile(flag, path);
  let version = versionOf(path);
  return () => {
    const present = versionOf(path);
    if (present !== version) text = readFileSync(path, "utf8");
    version = present;
    return text;
  };
}

/** What changes with each write of a file, and with its replacement. @throws {Error} if it is gone */
function versionOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  return `${mtimeMs} ${size} ${ino}`;
}
