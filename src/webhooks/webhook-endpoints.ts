import { integerAt, objectAt, textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import type { ReviewFunction } from "./webhook-target.ts";
import type { Address } from "./webhook-targets.ts";

/** A function that answers reviews, or the https address of a server that does. */
export type WebhookEndpoint = ReviewFunction | string;

/**
 * Where the webhooks are that objects of the cluster name: by `namespace/name` of a Service, with `:port` for one of its
 * ports, or by the origin of a URL, such as "https://hooks.example.com".
 */
export interface WebhookEndpoints {
  readonly [serviceOrOrigin: string]: WebhookEndpoint;
}

/** The URL of a webhook, and what answers there. */
export interface LocatedWebhook {
  readonly url: URL;
  /** The host and port as errors show them. */
  readonly shownHost: string;
  /** A function, a connection, or why there is neither. */
  readonly target:
    | { readonly type: "function"; readonly review: ReviewFunction }
    | { readonly type: "address"; readonly connection: WebhookConnection }
    | { readonly type: "none"; readonly problem: string };
}

/**
 * Finds the webhook of a client config. A Service is at the endpoint that the cluster's owner named, under the certificate
 * name of the Service. A URL is called as it is only on this machine: no object of the cluster makes the server connect to
 * another one. Upstream: apiserver, pkg/util/webhook/client.go.
 */
export function locateWebhook(clientConfig: JsonObject, endpoints: WebhookEndpoints): LocatedWebhook {
  const service = objectAt(clientConfig, "service");
  const authorities = pemOf(textAt(clientConfig, "caBundle"));
  if (service !== undefined) return locateService(service, authorities, endpoints);
  const url = new URL(textAt(clientConfig, "url"));
  const shownHost = url.host;
  const endpoint = endpoints[url.origin] ?? (isLoopback(url.hostname) ? url.origin : undefined);
  if (endpoint !== undefined)
    return { url, shownHost, target: targetAt(endpoint, url, shownHost, authorities) };
  const problem = `dial tcp: lookup ${url.hostname}: no webhook endpoint is configured for ${url.origin}`;
  return { url, shownHost, target: { type: "none", problem } };
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

function locateService(
  service: JsonObject,
  authorities: string | undefined,
  endpoints: WebhookEndpoints,
): LocatedWebhook {
  const name = textAt(service, "name");
  const namespace = textAt(service, "namespace");
  const port = integerAt(service, "port") || 443;
  const shownHost = `${name}.${namespace}.svc:${port}`;
  const url = new URL(`https://${shownHost}${textAt(service, "path")}`);
  const endpoint = endpoints[`${namespace}/${name}:${port}`] ?? endpoints[`${namespace}/${name}`];
  if (endpoint !== undefined)
    return { url, shownHost, target: targetAt(endpoint, url, shownHost, authorities) };
  return { url, shownHost, target: { type: "none", problem: `service ${goQuote(name)} not found` } };
}

function targetAt(
  endpoint: WebhookEndpoint,
  url: URL,
  shownHost: string,
  authorities: string | undefined,
): LocatedWebhook["target"] {
  if (typeof endpoint === "function") return { type: "function", review: endpoint };
  const address = new URL(endpoint);
  const isSame = address.origin === url.origin;
  return {
    type: "address",
    connection: {
      url,
      shownHost,
      ...(!isSame && { address: addressOf(address) }),
      authorities,
      serverName: isSame ? undefined : url.hostname,
      verifiesServer: true,
      certificate: undefined,
      authorization: undefined,
    },
  };
}

/** Where a socket connects to. */
function addressOf({ hostname, port }: URL): Address {
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}

/** The PEM in a field of bytes; undefined for none, so that the authorities of the system count. */
function pemOf(base64: string): string | undefined {
  const pem = base64 === "" ? "" : atob(base64).trim();
  return pem === "" ? undefined : pem;
}
