import { isJsonObject, type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { MutatingAttributes } from "../contract/admission.ts";
import { annotate, record } from "../contract/notes.ts";
import { ReinvocationContext } from "../contract/reinvocation.ts";
import { replaceContent } from "../matching/object-content.ts";
import type { Dispatcher } from "../plugins/dynamic-plugin.ts";
import { conditionEnvironment } from "./condition-environment.ts";
import type { DispatchEnvironment } from "./dispatch-environment.ts";
import { type Hook, Hooks } from "./hook.ts";
import { type Invocation, invocationOf, type WebhookPhase } from "./invocation.ts";
import { patchedObject } from "./patched-object.ts";
import { reviewed } from "./webhook-review.ts";

const phase: WebhookPhase = {
  type: "mutating",
  plugin: "MutatingAdmissionWebhook",
  phase: "admit",
  step: "admit",
};

/** Asks mutating webhooks one after the other. Upstream: plugin/webhook/mutating/dispatcher.go. */
export function mutatingWebhooks(environment: DispatchEnvironment): Dispatcher<MutatingAttributes> {
  const hooks = new Hooks(() => conditionEnvironment(environment));
  return {
    dispatch: (attributes, objects) => {
      const configured = hooks.of(objects.get("mutatingwebhookconfigurations") ?? []);
      return inTurn(configured, 0, attributes, environment);
    },
  };
}

/** Waits only for webhooks that select the request. */
function inTurn(
  hooks: readonly Hook[],
  start: number,
  attributes: MutatingAttributes,
  environment: DispatchEnvironment,
): Promise<void> | void {
  for (const [index, hook] of hooks.entries()) {
    if (index < start) continue;
    const invocation = invocationOf(hook, attributes, phase, environment);
    if (invocation === undefined) continue;
    return goOn(hooks, index, invocation, attributes, environment);
  }
}

async function goOn(
  hooks: readonly Hook[],
  start: number,
  first: Promise<Invocation | undefined> | Invocation | undefined,
  attributes: MutatingAttributes,
  environment: DispatchEnvironment,
): Promise<void> {
  attributes.reinvocation ??= new ReinvocationContext();
  const { reinvocation } = attributes;
  const calls = reinvocation.callsOf(phase.plugin);
  if (reinvocation.isReinvoke && calls.isChanged(attributes.object)) calls.require();
  try {
    for (const [index, hook] of hooks.entries()) {
      if (index < start) continue;
      const invocation = await (index === start ? first : invocationOf(hook, attributes, phase, environment));
      if (invocation === undefined) continue;
      if (reinvocation.isReinvoke && !calls.isDue(hook.uid)) continue;
      const hasChanged = await call(invocation, index, attributes, environment);
      if (hasChanged) {
        calls.require();
        reinvocation.shouldReinvoke = true;
      }
      if (hook.isReinvocable) calls.add(hook.uid);
    }
  } finally {
    calls.leave(attributes.object);
  }
}

/** Asks one webhook and applies its patch. Whether it changed the object. */
async function call(
  invocation: Invocation,
  index: number,
  attributes: MutatingAttributes,
  environment: DispatchEnvironment,
): Promise<boolean> {
  const { name: webhook, configuration } = invocation.hook;
  const round = attributes.reinvocation?.isReinvoke ? 1 : 0;
  const key = `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`;
  const noted = (mutated: boolean) =>
    annotate(attributes, key, encodeJson({ configuration, webhook, mutated }));
  let hasChanged: boolean | undefined;
  let applied: readonly JsonObject[] | undefined;
  try {
    hasChanged = await reviewed(invocation, attributes, phase, environment, async (response) => {
      const patched = patchedObject(invocation, response, environment.objects);
      if (patched === undefined) return false;
      const { patch, object } = patched;
      const changes = await isChanged(object, invocation, environment);
      if (changes) {
        const { version } = invocation.objects;
        environment.objects.setDefaults(object, version);
        await replaceContent(attributes, object, version, environment.objects);
      }
      if (changes && Array.isArray(patch)) applied = patch.filter(isJsonObject);
      const text = encodeJson({ configuration, webhook, patch, patchType: "JSONPatch" });
      annotate(attributes, `patch.webhook.admission.k8s.io/round_${round}_index_${index}`, text);
      return changes;
    });
  } finally {
    noted(hasChanged === true);
  }
  if (hasChanged === undefined) annotate(attributes, `failed-open.${key}`, webhook);
  else {
    const step = { plugin: phase.plugin, phase: phase.phase, name: webhook, source: configuration };
    const outcome = hasChanged ? "mutated" : "allowed";
    record(attributes, { ...step, outcome, message: "", cost: 0, patch: applied });
  }
  return hasChanged === true;
}

/** Whether a patched object differs from the one that the webhook saw, before it has its defaults again. */
async function isChanged(
  patched: KubeObject,
  { objects: { object, version } }: Invocation,
  { objects }: DispatchEnvironment,
): Promise<boolean> {
  const [shown] = await objects.convert([patched], version, version, "decoded");
  return !jsonEqual(object ?? undefined, shown);
}
