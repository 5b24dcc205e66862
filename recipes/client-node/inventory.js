import { CoreV1Api, makeInformer } from "@kubernetes/client-node";

/** Tracks the names of the pods of a namespace until `stop` is called. */
export async function watchInventory(kubeConfig, namespace, changed) {
  const api = kubeConfig.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const informer = makeInformer(kubeConfig, path, () => api.listNamespacedPod({ namespace }));
  const names = new Set();
  informer.on("add", ({ metadata }) => changed(names.add(metadata.name)));
  informer.on("delete", ({ metadata }) => {
    names.delete(metadata.name);
    changed(names);
  });
  await informer.start();
  return { names, stop: () => informer.stop() };
}
