import type { CallConversionWebhook } from "../registry/contract/storage-codec.ts";
import type { Config } from "./options.ts";

/** Upstream waits so long for a webhook that converts (apiserver, pkg/util/webhook/client.go). */
const timeoutMilliseconds = 30_000;

/** Calls the webhooks that convert custom resources, once for each review. Their code is loaded with the first call. */
export function conversionWebhooks({ clock, webhookEndpoints }: Config): CallConversionWebhook {
  return async (clientConfig, version, request) => {
    const { locateWebhook } = await import("../webhooks/webhook-endpoints.ts");
    const { addressCall, functionCall, shownUrl, urlWithTimeout } = await import(
      "../webhooks/webhook-client.ts"
    );
    const { url, shownHost, target } = locateWebhook(clientConfig, webhookEndpoints);
    const kind = { group: "apiextensions.k8s.io", version, kind: "ConversionReview" };
    const review = { kind: kind.kind, apiVersion: `${kind.group}/${version}`, request };
    const deadline = { clock, milliseconds: timeoutMilliseconds };
    switch (target.type) {
      case "function":
        return functionCall(target.review, kind, deadline)(review);
      case "address":
        return addressCall(target.connection, kind, deadline)(review);
      case "none":
        throw new Error(`Post "${shownUrl(urlWithTimeout(url, deadline), shownHost)}": ${target.problem}`);
    }
  };
}
