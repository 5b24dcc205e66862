import { forbidden, notFound, plainError } from "../../apimachinery/errors/errors.ts";
import { structAt } from "../../apimachinery/fields.ts";
import { shallowCopy } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";

/** The configuration of the plugin: node selectors of namespaces, and one for namespaces without the annotation. */
export interface NodeSelectors {
  readonly clusterDefaultNodeSelector?: string;
  readonly [namespace: string]: string | undefined;
}

type Labels = { readonly [key: string]: string };

/** Adds the node selector of the namespace to pods. Upstream: plugin/pkg/admission/podnodeselector. */
export function podNodeSelector(lister: Lister, configured: NodeSelectors): AdmissionPlugin {
  const check = (attributes: AdmissionAttributes): Labels | undefined => {
    const { object, gvr, namespace } = attributes;
    if (object === undefined || !isAbout(attributes, "", "pods")) return undefined;
    const ofNamespace = selectorOf(namespace, lister, configured);
    // A node selector consists of texts.
    const ofPod = structAt(object, "spec", "nodeSelector") as Labels;
    const { name = "" } = object.metadata;
    if (Object.entries(ofNamespace).some(([key, value]) => (ofPod[key] ?? value) !== value)) {
      throw forbidden(gvr, name, "pod node label selector conflicts with its namespace node label selector");
    }
    const merged = { ...ofNamespace, ...ofPod };
    const allowed = Object.entries(labelsOf(configured[namespace] ?? ""));
    const isAllowed = Object.entries(merged).every(([key, value]) =>
      allowed.some(([other, text]) => other === key && text === value),
    );
    if (allowed.length > 0 && !isAllowed) {
      throw forbidden(gvr, name, "pod node label selector labels conflict with its namespace whitelist");
    }
    return merged;
  };
  return {
    name: "PodNodeSelector",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      const merged = check(attributes);
      if (object === undefined || merged === undefined || Object.keys(merged).length === 0) return;
      object["spec"] = { ...shallowCopy(structAt(object, "spec")), nodeSelector: merged };
    },
    validate: (attributes) => {
      check(attributes);
    },
  };
}

function selectorOf(name: string, lister: Lister, configured: NodeSelectors): Labels {
  const namespace = lister.get({ group: "", resource: "namespaces" }, "", name);
  if (namespace === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
  const annotated = namespace.metadata.annotations?.[annotation];
  return labelsOf(annotated ?? configured.clusterDefaultNodeSelector ?? "");
}

/** @throws {StatusError} a plain 500, as upstream */
function labelsOf(selector: string): Labels {
  if (selector === "") return {};
  const pairs = selector.split(",").map((text) => {
    const parts = text.split("=");
    if (parts.length !== 2) throw plainError(500, `invalid selector: [${text}]`);
    return parts.map((part) => part.trim());
  });
  return Object.fromEntries(pairs);
}
