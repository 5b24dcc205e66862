import type { Address } from "./address.ts";
import type { ReviewWire } from "./review-wire.ts";

/** How to reach a webhook. */
export interface WebhookConnection {
  readonly url: URL;
  /** Where to connect, if not to the host of the URL. */
  readonly address?: Address;
  /** Default: `kube-apiserver`. */
  readonly userAgent?: string;
  /** Changes what is sent and what is answered. Default: nothing does. */
  readonly wire?: ReviewWire | undefined;
  /** PEM of the authorities that are trusted; undefined for those of the system. */
  readonly authorities: string | undefined;
  /** The name in the server's certificate; undefined for that of the URL. */
  readonly serverName: string | undefined;
  readonly verifiesServer: boolean;
  /** The client certificate and its key, both PEM. */
  readonly certificate: { readonly certificate: string; readonly key: string } | undefined;
  /** The header `Authorization`; undefined for none. */
  readonly authorization: string | undefined;
}
