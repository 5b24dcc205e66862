import type { ControllerManager } from "../controllers/controller-manager.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { ServedApi } from "../served/served-api.ts";
import { seeds } from "./bootstrap.ts";
import { callsWebhooks } from "./checked-configuration.ts";
import type { ClusterClient } from "./client.ts";
import { isPolicy } from "./policy-ownership.ts";
import type { Loader } from "./seeding/loader.ts";
import type { ServerOptions } from "./server-options.ts";
import { namesUrls } from "./service-account-issuers.ts";
import { settledStartOf } from "./settled-start.ts";

/** Starts the controllers, if any, and loads the initial objects. Resolves when the start is over. */
export async function startUp(
  { config, store, start, controllers: progress, closing, published, origin }: ServerOptions,
  { served, serverClient }: { readonly served: ServedApi; readonly serverClient: ClusterClient },
  controllers: ControllerManager,
  loadInitial: Loader["loadInitial"],
  loadAuthorizers: (closing: AbortSignal) => Promise<void>,
): Promise<void> {
  const { controllers: wanted, objects, simulation } = config;
  const { serviceAccounts } = config.authentication;
  if (namesUrls(serviceAccounts)) (await import("./issuer-urls.ts")).checkIssuerUrls(serviceAccounts);
  if (callsWebhooks(config)) {
    const { checkWebhooks } = await import("./webhook-checks.ts");
    await checkWebhooks(config, loadAuthorizers, closing);
  }
  if (origin === "stored") {
    const { takeOver } = await import("./take-over.ts");
    await takeOver(new StoredObjects(served, store), { ...config, published }, serverClient);
  }
  const { isEnabled } = config.featureGates;
  const provideServiceCidrs = async (over: ServerOptions["origin"]) => {
    const { provideServiceCidrs: provide } = await import("./service-cidrs.ts");
    const objects = new StoredObjects(served, store);
    await provide({ objects, options: { ...config, published }, served }, serverClient, over);
  };
  const hasServiceCidrs = isEnabled("MultiCIDRServiceAllocator");
  if (hasServiceCidrs) await provideServiceCidrs(origin);
  // Controllers would take objects of kinds that are not known yet for gone.
  await served.loading;
  if (wanted.length + simulation.length > 0 && !closing.aborted) {
    const settledStart = origin === "new" ? settledStartOf(config) : undefined;
    controllers.start(progress ?? settledStart?.progressWith(store));
    closing.addEventListener("abort", () => controllers.stop(), { once: true });
    await controllers.settle();
    settledStart?.note(store, controllers.progress());
  }
  if (objects.length > 0) {
    const loaded = await loadInitial(objects, config);
    // They may have replaced default roles or bindings.
    if (loaded.some(({ object }) => isPolicy(object))) {
      const { reconcilePolicy } = await import("./reconciled-policy.ts");
      await reconcilePolicy(seeds(config), new StoredObjects(served, store), serverClient);
    }
    if (hasServiceCidrs) await provideServiceCidrs("stored");
  }
  if (isEnabled("StorageVersionAPI") && isEnabled("APIServerIdentity")) {
    const { publishesStorageVersions, publishStorageVersions } = await import("./storage-versions.ts");
    const { current: view } = served;
    const publication = { view, objects: new StoredObjects(served, store), client: serverClient };
    const { clock, server } = config;
    if (publishesStorageVersions(view)) await publishStorageVersions({ ...publication, clock, server });
  }
  start.end(closing.aborted);
}

/** What requests wait for: a step of the server, and then the code of the kinds that its objects declare. */
export function afterStart(
  step: Promise<void> | undefined,
  served: Pick<ServedApi, "loading">,
  aggregation: { readonly loading: Promise<void> | undefined },
): Promise<void> | undefined {
  const loading = () => served.loading ?? aggregation.loading;
  return step === undefined ? loading() : step.then(loading);
}

/**
 * Lets the controllers publish another address or authority. The result is what requests wait for, so that a client that
 * has found the port also finds it in the cluster.
 */
export function publicationOf(
  { published, closing }: ServerOptions,
  controllers: ControllerManager,
): () => Promise<void> | undefined {
  let publication: Promise<void> | undefined;
  const stop = published.onChange(() => {
    controllers.observePublication();
    const settled = controllers.settle().then(() => {
      if (publication === settled) publication = undefined;
    });
    publication = settled;
  });
  closing.addEventListener("abort", stop, { once: true });
  return () => publication;
}
