import type { KubeObject } from "../apimachinery/object-meta.ts";
import { ControllerManager } from "../controllers/controller-manager.ts";
import type { EstablishmentHolds } from "../scenario/establishment-holds.ts";
import type { Store } from "../store/store.ts";
import type { ControllerAccess } from "./controllers-for.ts";
import type { Config } from "./options.ts";
import type { ServedState } from "./served-state.ts";

/** The parts of a server that the controllers of definitions use. */
interface DefinitionOptions {
  readonly config: Config;
  readonly store: Store<KubeObject>;
  readonly establishment: EstablishmentHolds;
  readonly closing: AbortSignal;
}

/**
 * The controllers of kube-apiserver itself that look after CustomResourceDefinitions. They start with the first definition,
 * whatever controllers the configuration names. The result waits until they are idle.
 */
export function definitionControllers(
  { config, store, establishment, closing }: DefinitionOptions,
  { registry, served, kinds }: Pick<ServedState, "registry" | "served" | "kinds">,
  { serverClient: client, workQueueMetrics }: Pick<ControllerAccess, "serverClient" | "workQueueMetrics">,
): () => Promise<void> {
  let manager: ControllerManager | undefined;
  served.onBeginning(async () => {
    const { customResourceDefinitionController } = await import(
      "../controllers/custom-resource-definitions/custom-resource-definition-controller.ts"
    );
    const { customResourceRegistration } = await import(
      "../controllers/api-services/custom-resource-registration.ts"
    );
    if (closing.aborted) return;
    const { clock } = config;
    const controllers = () => [
      customResourceDefinitionController(registry, client, served, {
        clock,
        kinds,
        isHeld: (group) => establishment.isHeld(group),
      }),
      customResourceRegistration(registry, client, config.featureGates.since),
    ];
    // It does not wait for the kinds, whose code counts as loaded once it is idle.
    const api = { onChange: served.onChange };
    manager = new ControllerManager({ store, clock, controllers, served: api, workQueueMetrics });
    closing.addEventListener("abort", () => manager?.stop(), { once: true });
    manager.start();
    establishment.onRelease(() => manager?.resume());
    await manager.settle();
  });
  return async () => {
    await served.loading;
    await manager?.settle();
  };
}
