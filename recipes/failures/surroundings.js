import { readFileSync } from "node:fs";
import { CoreV1Api, KubeConfig, ListWatch, Watch } from "@kubernetes/client-node";
import { createCluster } from "kubedouble";
import { serve } from "kubedouble/node";

export const namespace = "default";
export const path = `/api/v1/namespaces/${namespace}/configmaps`;

const manifest = new URL("../package.json", import.meta.resolve("@kubernetes/client-node"));
/** The major version of the installed @kubernetes/client-node: the tests say where 1 and 2 differ. */
export const major = Number(JSON.parse(readFileSync(manifest, "utf8")).version.split(".")[0]);

export const configMap = (name, data = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  data,
});

/** A cluster with the ConfigMaps `a` and `b` on a port, and a client. Both are closed when the test ends. */
export async function surroundings(t) {
  const cluster = createCluster({ controllers: [], objects: [configMap("a"), configMap("b")] });
  const server = await serve(cluster);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(server.kubeconfig());
  const api = kubeConfig.makeApiClient(CoreV1Api);
  t.after(async () => {
    await server.close();
    await cluster.close();
    // A failure that was never used would test nothing.
    cluster.faults.check();
  });

  /** An informer like that of `makeInformer`, with options that only a ListWatch accepts. */
  const follow = async ({ watch = new Watch(kubeConfig), delayFn } = {}) => {
    const list = () => api.listNamespacedConfigMap({ namespace });
    const informer = new ListWatch(path, watch, list, false, undefined, undefined, { delayFn });
    const follower = new Follower(informer);
    t.after(() => informer.stop());
    await informer.start();
    return follower;
  };

  return { cluster, kubeConfig, api, follow };
}

/** The events of an informer, in order. */
class Follower {
  events = [];
  errors = [];
  #waiting = [];

  constructor(informer) {
    this.informer = informer;
    for (const verb of ["add", "update", "delete"]) {
      informer.on(verb, ({ metadata }) => this.#note(`${verb} ${metadata.name}`));
    }
    informer.on("connect", () => this.#note("connect"));
    informer.on("error", (error) => {
      this.errors.push(error);
      this.#note("error");
    });
  }

  get names() {
    return this.informer.list(namespace).map(({ metadata }) => metadata.name);
  }

  /** Resolves when the informer has reported this event, `times` times. */
  async until(line, times = 1) {
    while (this.events.filter((one) => one === line).length < times) {
      await new Promise((resolve) => this.#waiting.push(resolve));
    }
  }

  #note(line) {
    this.events.push(line);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
