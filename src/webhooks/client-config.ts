import { bytesOfBase64 } from "../apimachinery/base64.ts";
import { integerAt, objectAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { loopbackAddress } from "./address.ts";
import { type Locations, serviceAddress } from "./service-address.ts";
import type { WebhookConnection } from "./webhook-connection.ts";

/**
 * The URL of a webhook with the timeout of a call, as errors show it. A path loses its last slash, as in clients of upstream
 * (client-go, rest/url_utils.go).
 */
export function urlOf(clientConfig: JsonObject, timeoutSeconds: number): string {
  const service = objectAt(clientConfig, "service");
  const [, ofUrl = "", pathOfUrl = ""] =
    /^https:\/\/([^/?#]*)([^?#]*)/i.exec(textAt(clientConfig, "url")) ?? [];
  const host = service === undefined ? ofUrl : `${hostOf(service)}:${portOf(service)}`;
  const path = service === undefined ? pathOfUrl : textAt(service, "path");
  const segments = path.split("/").filter((segment) => segment !== "");
  return `https://${host}/${segments.join("/")}?timeout=${timeoutSeconds}s`;
}

/**
 * How to reach the webhook of a client config. Upstream: apiserver, pkg/util/webhook/client.go.
 * @throws {WebhookError} for one that is neither on this machine nor where the owner of the cluster said
 */
export function connectionTo(
  clientConfig: JsonObject,
  url: URL,
  locations: Locations,
): Omit<WebhookConnection, "userAgent"> {
  const service = objectAt(clientConfig, "service");
  const connection = {
    url,
    authorities: pemOf(textAt(clientConfig, "caBundle")),
    verifiesServer: true,
    certificate: undefined,
    authorization: undefined,
  };
  if (service !== undefined) {
    const reference = {
      name: textAt(service, "name"),
      namespace: textAt(service, "namespace"),
      port: portOf(service),
    };
    return { ...connection, address: serviceAddress(reference, locations), serverName: hostOf(service) };
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const named = locations.targets.addresses.get(url.origin);
  const address = named ?? loopbackAddress({ host, port: Number(url.port) || 443 }, url.origin);
  return { ...connection, address, serverName: host };
}

function hostOf(service: JsonObject): string {
  return `${textAt(service, "name")}.${textAt(service, "namespace")}.svc`;
}

function portOf(service: JsonObject): number {
  return Number(integerAt(service, "port")) || 443;
}

/** The PEM in a field of bytes; undefined for none, so that the authorities of the system count. */
function pemOf(base64: string): string | undefined {
  const pem = new TextDecoder().decode(bytesOfBase64(base64)).trim();
  return pem === "" ? undefined : pem;
}
