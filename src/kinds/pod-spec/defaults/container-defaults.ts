import { all, type Defaulter, each, ifSet, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";
import { imageTag } from "./image-tag.ts";

/** The defaults of a reference to a field of the pod. */
export const fieldRefDefaults: Defaulter = ifSet("fieldRef", whenZero({ apiVersion: "v1" }));

/** The defaults of an environment variable. */
export const envVarDefaults: Defaulter = ifSet(
  "valueFrom",
  fieldRefDefaults,
  ifSet("fileKeyRef", whenUnset({ optional: false })),
);

const httpGet = ifSet("httpGet", whenZero({ path: "/", scheme: "HTTP" }));

const probe = all(
  whenZero({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  httpGet,
  ifSet("grpc", whenUnset({ service: "" })),
);

/** The defaults of a container of any kind, in a pod or a template. */
export const containerDefaults: Defaulter = all(
  pullPolicyByTag("image", "imagePullPolicy"),
  whenZero({ terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" }),
  each("ports", whenZero({ protocol: "TCP" })),
  each("env", envVarDefaults),
  ifSet("resources", roundedAmounts("limits", "requests")),
  ifSet("livenessProbe", probe),
  ifSet("readinessProbe", probe),
  ifSet("startupProbe", probe),
  ifSet("lifecycle", ifSet("postStart", httpGet), ifSet("preStop", httpGet)),
);

/** Sets the pull policy by the tag of an image: `Always` for `latest`, otherwise `IfNotPresent`. */
export function pullPolicyByTag(imageField: string, policyField: string): Defaulter {
  return (holder) => {
    if (holder[policyField]) return;
    const image = holder[imageField];
    const isLatest = typeof image === "string" && imageTag(image) === "latest";
    holder[policyField] = isLatest ? "Always" : "IfNotPresent";
  };
}
