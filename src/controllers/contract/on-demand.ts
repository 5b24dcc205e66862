import type { Controller } from "./controller.ts";

type Reconcile = Controller["reconcile"];

/** A controller that loads the code of its `reconcile` with its first key: few clusters have objects for it. */
export function onDemand(
  controller: Omit<Controller, "reconcile">,
  load: () => Promise<Reconcile>,
): Controller {
  let reconcile: Reconcile | undefined;
  return {
    ...controller,
    reconcile: async (key) => {
      reconcile ??= await load();
      return (await reconcile(key)) ?? undefined;
    },
  };
}

/** The name of an object that was put, for controllers of cluster-scoped kinds that ignore deletions. */
export const nameOfPut: Controller["observe"] = ({ type, object }) =>
  type === "put" ? [object.metadata.name ?? ""] : [];
