import { type AdmissionChain, refusingChain } from "../admission/admission-chain.ts";
import { shownName } from "../admission/contract/attributes.ts";
import { listAt } from "../apimachinery/fields.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import type { AnswerOptions, SilentWebhooks } from "../scenario/interventions.ts";
import type { ReplicaView } from "../scenario/replica-view.ts";
import type { Store } from "../store/store.ts";
import type { ServedState } from "./served-state.ts";

/** What the silence of webhooks needs. */
interface WebhookAccess {
  readonly lister: Lister;
  /** The chain in which the webhook of a name, or every one without a name, does not answer. */
  readonly silenced: (webhook: string | undefined, called: () => void) => AdmissionChain;
}

/** Makes the environment for a response that a fault changes: a variant of the environment of all other requests. */
export function changedEnvironments(
  environment: EndpointEnvironment,
  stateOf: (store: Store<KubeObject>) => ServedState,
  access: WebhookAccess,
): (options: AnswerOptions) => EndpointEnvironment {
  const replicas = new WeakMap<ReplicaView, EndpointEnvironment>();
  const replicaOf = (view: ReplicaView): EndpointEnvironment => {
    const known = replicas.get(view);
    if (known !== undefined) return known;
    const { registry: _, ...state } = stateOf(view.store);
    const replica = { ...environment, ...state };
    replicas.set(view, replica);
    return replica;
  };
  return ({ from, deleteReturns, refuse, silent }) => {
    const source = from === undefined ? environment : replicaOf(from);
    const admission = silent === undefined ? refusing(refuse) : silenced(silent, access);
    if (deleteReturns === undefined && admission === undefined) return source;
    return {
      ...source,
      interventions: { ...source.interventions, deleteReturns },
      ...(admission && { admission }),
    };
  };
}

function refusing(refuse: AnswerOptions["refuse"]): AdmissionChain | undefined {
  return refuse && refusingChain((attributes) => refuse(shownName(attributes)));
}

/** The chain without an answer of the webhooks; if none is configured, a chain that refuses as if there were one. */
function silenced(
  { webhook, called, refuse }: SilentWebhooks,
  { lister, silenced }: WebhookAccess,
): AdmissionChain {
  const isMeant = (name: unknown) => webhook === undefined || name === webhook;
  const isConfigured = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].some((resource) =>
    lister
      .list({ group: "admissionregistration.k8s.io", resource }, "")
      .some((configuration) => listAt(configuration, "webhooks").some(({ name }) => isMeant(name))),
  );
  if (isConfigured) return silenced(webhook, called);
  return refusingChain((attributes) => refuse(shownName(attributes)));
}
