import { type JsonObject, jsonCopy } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Compare } from "../patch/json-differences.ts";
import type { AdmissionStep } from "../request/request-notes.ts";
import { type AdmissionChain, admissionChain } from "./admission-chain.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "./contract/admission.ts";
import { record } from "./contract/notes.ts";
import type { PluginName } from "./contract/plugin-order.ts";
import type { ChainMeasures } from "./measured.ts";

/** The object of a request before and after the mutating plugins; undefined without an object. */
export interface TracedObject {
  before: KubeObject | undefined;
  after: KubeObject | undefined;
}

/** Plugins whose webhooks and policies have steps of their own. */
const dynamicPlugins: ReadonlySet<string> = new Set<PluginName>([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
]);

/** The same chain for one request, of which every plugin that runs has a step, with what it changed. */
export function tracedChain(
  { plugins }: AdmissionChain,
  measures: ChainMeasures,
  compare: Compare,
  traced: TracedObject,
): AdmissionChain {
  const chain = admissionChain(
    plugins.map((plugin) => tracedPlugin(plugin, compare, traced)),
    measures,
  );
  return {
    ...chain,
    admit: (attributes) => {
      traced.before = copyOf(attributes.object);
      traced.after = traced.before;
      return chain.admit(attributes);
    },
  };
}

/** A copy without the `creationTimestamp: null` that objects have or lack before they are stored. */
function copyOf(object: KubeObject | undefined): KubeObject | undefined {
  if (object === undefined) return undefined;
  const copy = jsonCopy(object);
  if (copy.metadata.creationTimestamp !== null) return copy;
  const { creationTimestamp: _, ...metadata } = copy.metadata;
  return { ...copy, metadata };
}

/** Plugins that do not look at a resource have their steps, too. */
function tracedPlugin(plugin: AdmissionPlugin, compare: Compare, traced: TracedObject): AdmissionPlugin {
  const { name, handles, concerns = () => true, admit, validate } = plugin;
  const noted = dynamicPlugins.has(name) ? () => {} : note;
  return {
    name,
    handles,
    ...(admit && {
      admit: async (attributes: MutatingAttributes) => {
        const before = traced.after;
        try {
          if (concerns(attributes.gvr)) await admit(attributes);
        } finally {
          traced.after = copyOf(attributes.object);
        }
        noted(attributes, name, "admit", before && traced.after ? compare(before, traced.after) : []);
      },
    }),
    ...(validate && {
      validate: async (attributes: AdmissionAttributes) => {
        if (concerns(attributes.gvr)) await validate(attributes);
        noted(attributes, name, "validate", []);
      },
    }),
  };
}

function note(
  attributes: AdmissionAttributes,
  plugin: string,
  phase: AdmissionStep["phase"],
  changes: readonly JsonObject[],
): void {
  const [outcome, patch] =
    changes.length === 0 ? (["allowed", undefined] as const) : (["mutated", changes] as const);
  record(attributes, { plugin, phase, name: "", source: "", outcome, message: "", cost: 0, patch });
}
