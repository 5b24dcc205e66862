import { AppsV1Api, CoreV1Api, makeInformer } from "@kubernetes/client-node";
import { LeaderElector } from "./leader-elector.js";

/** While it leads, keeps a Deployment for every ConfigMap with the label `site`, with the replicas of its data. */
export class SiteOperator {
  #namespace;
  #clock;
  #apps;
  #informer;
  #elector;
  /** The work so far, one step after another. */
  #work = Promise.resolve();

  constructor(kubeConfig, { namespace, identity, clock, changed = () => {}, tried = () => {} }) {
    this.#namespace = namespace;
    this.#clock = clock;
    this.#apps = kubeConfig.makeApiClient(AppsV1Api);
    const core = kubeConfig.makeApiClient(CoreV1Api);
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: "site" });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    this.#informer = makeInformer(kubeConfig, path, list, "site");
    for (const verb of ["add", "update"]) {
      this.#informer.on(verb, ({ metadata }) => this.#do(() => this.#reconcile(metadata.name)));
    }
    // The informer has stopped and reports no more events.
    this.#informer.on("error", () => this.#later(() => this.#informer.start()));
    this.#elector = new LeaderElector(kubeConfig, {
      namespace,
      name: "site-operator",
      identity,
      clock,
      tried,
      started: () => {
        changed(identity, "leads");
        this.#do(() => this.#informer.start());
      },
      stopped: () => {
        changed(identity, "follows");
        this.#do(() => this.#informer.stop());
      },
    });
  }

  run() {
    return this.#elector.run();
  }

  async stop() {
    this.#elector.stop();
    // An informer that is stopped while it starts would run forever.
    this.#do(() => this.#informer.stop());
    await this.#work;
  }

  #do(work) {
    this.#work = this.#work.then(work).catch(() => this.#later(work));
  }

  #later(work) {
    this.#clock.after(1_000, () => {
      if (this.#elector.isLeading) this.#do(work);
    });
  }

  async #reconcile(name) {
    const configMap = this.#informer.get(name, this.#namespace);
    if (configMap === undefined) return;
    const replicas = Number(configMap.data.replicas);
    const at = { name, namespace: this.#namespace };
    const found = await this.#apps.readNamespacedDeployment(at).catch(ifMissing);
    if (found === undefined) {
      await this.#apps.createNamespacedDeployment({ ...at, body: deployment(name, replicas) });
    } else if (found.spec.replicas !== replicas) {
      const body = { ...found, spec: { ...found.spec, replicas } };
      await this.#apps.replaceNamespacedDeployment({ ...at, body });
    }
  }
}

function ifMissing(error) {
  if (error.code === 404) return undefined;
  throw error;
}

function deployment(name, replicas) {
  const labels = { site: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
