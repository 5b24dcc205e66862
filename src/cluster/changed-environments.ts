import { refusingChain } from "../admission/admission-chain.ts";
import { shownName } from "../admission/contract/attributes.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import type { AnswerOptions } from "../scenario/interventions.ts";
import type { ReplicaView } from "../scenario/replica-view.ts";
import type { Store } from "../store/store.ts";
import type { ServedState } from "./served-state.ts";

/** Makes the environment for a response that a fault changes: a variant of the environment of all other requests. */
export function changedEnvironments(
  environment: EndpointEnvironment,
  stateOf: (store: Store<KubeObject>) => ServedState,
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
  return ({ from, deleteReturns, refuse }) => {
    const source = from === undefined ? environment : replicaOf(from);
    if (deleteReturns === undefined && refuse === undefined) return source;
    return {
      ...source,
      interventions: { ...source.interventions, deleteReturns },
      ...(refuse && { admission: refusingChain((attributes) => refuse(shownName(attributes))) }),
    };
  };
}
