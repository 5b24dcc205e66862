import type { AdmissionAttributes } from "../contract/admission.ts";
import { adoptNotes, annotate, emptyNotes, record } from "../contract/notes.ts";
import type { Dispatcher } from "../plugins/dynamic-plugin.ts";
import { conditionEnvironment } from "./condition-environment.ts";
import type { DispatchEnvironment } from "./dispatch-environment.ts";
import { type Hook, Hooks } from "./hook.ts";
import { type Invocation, invocationOf, type WebhookPhase } from "./invocation.ts";
import { reviewed } from "./webhook-review.ts";

const phase: WebhookPhase = {
  type: "validating",
  plugin: "ValidatingAdmissionWebhook",
  phase: "validate",
  step: "validating",
};

/** Asks all validating webhooks at once. The first refusal in their order counts. Upstream: plugin/webhook/validating/dispatcher.go. */
export function validatingWebhooks(environment: DispatchEnvironment): Dispatcher<AdmissionAttributes> {
  const hooks = new Hooks(() => conditionEnvironment(environment));
  return {
    dispatch: (attributes, objects) => {
      const configured = hooks.of(objects.get("validatingwebhookconfigurations") ?? []);
      const invocations = invocationsOf(configured, attributes, environment);
      const call = (relevant: readonly Invocation[]) =>
        relevant.length === 0 ? undefined : callAll(relevant, attributes, environment);
      return invocations instanceof Promise ? invocations.then(call) : call(invocations);
    },
  };
}

function invocationsOf(
  hooks: readonly Hook[],
  attributes: AdmissionAttributes,
  environment: DispatchEnvironment,
): Promise<readonly Invocation[]> | readonly Invocation[] {
  const selected: (Promise<Invocation | undefined> | Invocation)[] = [];
  const ready: Invocation[] = [];
  for (const hook of hooks) {
    const invocation = invocationOf(hook, attributes, phase, environment);
    if (invocation === undefined) continue;
    selected.push(invocation);
    if (!(invocation instanceof Promise)) ready.push(invocation);
  }
  if (ready.length === selected.length) return ready;
  return Promise.all(selected).then((all) => all.filter((one) => one !== undefined));
}

async function callAll(
  invocations: readonly Invocation[],
  attributes: AdmissionAttributes,
  environment: DispatchEnvironment,
): Promise<void> {
  // Each call has its own notes, because they answer in any order.
  const noted = invocations.map(() => ({ ...attributes, notes: attributes.notes && emptyNotes() }));
  const calls = invocations.map((invocation, index) =>
    call(invocation, index, noted[index] ?? attributes, environment),
  );
  const results = await Promise.allSettled(calls);
  for (const { notes } of noted) adoptNotes(attributes, notes);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function call(
  invocation: Invocation,
  index: number,
  attributes: AdmissionAttributes,
  environment: DispatchEnvironment,
): Promise<void> {
  const { name, configuration } = invocation.hook;
  const isAllowed = await reviewed(invocation, attributes, phase, environment, () => true);
  if (isAllowed) {
    const step = { plugin: phase.plugin, phase: phase.phase, name, source: configuration };
    record(attributes, { ...step, outcome: "allowed", message: "", cost: 0 });
    return;
  }
  const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
  annotate(attributes, key, name);
}
