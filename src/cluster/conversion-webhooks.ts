import type { JsonValue } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { CallConversionWebhook } from "../registry/contract/storage-codec.ts";
import type { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { Config } from "./options.ts";

/** Upstream waits so long for a webhook that converts (apiserver, pkg/util/webhook/client.go). */
const timeoutSeconds = 30;

const late = "context deadline exceeded";

/** What calls of webhooks that convert depend on. */
interface ConversionOptions {
  readonly config: Pick<Config, "clock" | "reviewWire">;
  readonly targets: OutgoingTargets;
}

/** Calls the webhooks that convert custom resources, once for each review. Their code is loaded with the first call. */
export function conversionWebhooks(
  { config, targets }: ConversionOptions,
  lister: () => Lister,
): CallConversionWebhook {
  return async (webhook, version, request) => {
    const { callObjectWebhook } = await import("../webhooks/object-webhook.ts");
    const kind = { group: "apiextensions.k8s.io", version, kind: "ConversionReview" };
    const review = { kind: kind.kind, apiVersion: `${kind.group}/${version}`, request };
    const protocol = {
      kind,
      userAgent: "kube-apiserver",
      complete: (answer: JsonValue) => answer,
      late: {
        post: `${late} (Client.Timeout exceeded while awaiting headers)`,
        ofFunction: () => late,
      },
    };
    const environment = { clock: config.clock, wire: config.reviewWire, targets, lister: lister() };
    return callObjectWebhook({ ...webhook, timeoutSeconds }, review, protocol, environment);
  };
}
