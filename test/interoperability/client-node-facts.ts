import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { ObservedCluster } from "../conformance/observed-cluster.ts";

/** The part of the library that the tests use, with the types of the older version. */
export type ClientNode = typeof import("client-node-1");
type Informer = InstanceType<ClientNode["ListWatch"]>;
type KubeConfig = InstanceType<ClientNode["KubeConfig"]>;
type ConfigMap = { metadata?: { name?: string }; data?: { [key: string]: string } };

const namespace = "default";

/** The facts that users of `@kubernetes/client-node` rely on. */
export function clientNodeFacts(title: string, load: () => Promise<ClientNode>): void {
  describe(title, () => {
    const server = new ObservedCluster(createCluster());
    let serving: Serving;
    let library: ClientNode;
    let config: KubeConfig;
    beforeAll(async () => {
      library = await load();
      serving = await serve(server);
      config = configOf(serving.kubeconfig());
    });
    afterAll(async () => {
      await serving.close();
      await server.cluster.close();
    });

    const configOf = (text: string): KubeConfig => {
      const made = new library.KubeConfig();
      made.loadFromString(text);
      return made;
    };
    const core = () => config.makeApiClient(library.CoreV1Api);
    const create = (name: string, data: { [key: string]: string } = {}) =>
      core().createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });

    test("a kubeconfig is loaded from text", () => {
      expect(config.getCurrentCluster()?.server).toBe(serving.url);
      expect(config.getCurrentUser()?.token).toBe(server.adminToken());
    });

    test("a pod is created, read, replaced, listed and deleted", async () => {
      const containers = [{ name: "main", image: "busybox", resources: { limits: { cpu: "0.5" } } }];
      const spec = { containers, terminationGracePeriodSeconds: 0 };
      const body = { metadata: { name: "web", labels: { app: "web" } }, spec };
      const created = await core().createNamespacedPod({ namespace, body });
      expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
      const read = await core().readNamespacedPod({ name: "web", namespace });
      expect(read).toEqual(created);
      const changed = { ...read, metadata: { ...read.metadata, annotations: { seen: "yes" } } };
      const replaced = await core().replaceNamespacedPod({ name: "web", namespace, body: changed });
      expect(replaced.metadata?.annotations).toEqual({ seen: "yes" });
      expect(Number(replaced.metadata?.resourceVersion)).toBeGreaterThan(
        Number(created.metadata?.resourceVersion),
      );
      const list = await core().listPodForAllNamespaces({ labelSelector: "app=web" });
      expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(["web"]);
      const deleted = await core().deleteNamespacedPod({ name: "web", namespace });
      expect(deleted).toMatchObject({ metadata: { name: "web" } });
      expect((await core().listNamespacedPod({ namespace })).items).toEqual([]);
    });

    test("a deployment and its scale are read and replaced", async () => {
      const apps = config.makeApiClient(library.AppsV1Api);
      const labels = { app: "shop" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "shop:1" }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: "shop" }, spec } });
      const scale = await apps.readNamespacedDeploymentScale({ name: "shop", namespace });
      expect(scale.spec?.replicas).toBe(1);
      const body = { ...scale, spec: { replicas: 3 } };
      await apps.replaceNamespacedDeploymentScale({ name: "shop", namespace, body });
      const deployment = await apps.readNamespacedDeployment({ name: "shop", namespace });
      expect(deployment.spec?.replicas).toBe(3);
      expect(deployment.metadata?.generation).toBe(2);
      await apps.deleteNamespacedDeployment({ name: "shop", namespace });
    });

    test("objects without their own API class are found by discovery", async () => {
      const objects = library.KubernetesObjectApi.makeApiClient(config);
      const metadata = { name: "generic", namespace };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
      const created = await objects.create(body);
      const read = await objects.read({ apiVersion: "v1", kind: "ConfigMap", metadata });
      expect(read).toMatchObject({ metadata: created.metadata });
      await objects.replace({ ...read, data: { a: "2" } } as typeof body);
      await objects.delete({ apiVersion: "v1", kind: "ConfigMap", metadata });
      await expect(objects.read(body)).rejects.toMatchObject({ code: 404 });
    });

    test("a refused request throws an exception with the Status", async () => {
      await create("taken");
      const status = (code: number, message: string) => ({
        code,
        body: expect.stringContaining(JSON.stringify(message)),
      });
      await expect(create("taken")).rejects.toMatchObject(status(409, 'configmaps "taken" already exists'));
      const missing = core().readNamespacedConfigMap({ name: "missing", namespace });
      await expect(missing).rejects.toMatchObject(status(404, 'configmaps "missing" not found'));
      const stranger = configOf(serving.kubeconfig().replace(server.adminToken(), "nobody"));
      const pods = stranger.makeApiClient(library.CoreV1Api).listNamespacedPod({ namespace });
      // The library's generated code does not parse the body here.
      await expect(pods).rejects.toMatchObject({ code: 401 });
    });

    test("Watch receives events, and ends on the server when it is aborted", async () => {
      const seen = new Log();
      let ended: () => void = () => {};
      const done = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const watch = new library.Watch(config);
      const query = {
        resourceVersion: String(
          (await core().listNamespacedConfigMap({ namespace })).metadata?.resourceVersion,
        ),
      };
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const onEvent = (type: string, { metadata }: ConfigMap) => seen.add(`${type} ${metadata?.name}`);
      const request = await watch.watch(path, query, onEvent, () => ended());
      const body = await create("watched");
      await seen.has("ADDED watched");
      await core().replaceNamespacedConfigMap({
        name: "watched",
        namespace,
        body: { ...body, data: { a: "b" } },
      });
      await core().deleteNamespacedConfigMap({ name: "watched", namespace });
      await seen.has("DELETED watched");
      expect(seen.entries).toEqual(["ADDED watched", "MODIFIED watched", "DELETED watched"]);
      expect(server.openStreams).toBe(1);
      request.abort();
      await done;
      await server.allEnded();
    });

    const informerOf = (from: KubeConfig, labelSelector?: string): { informer: Informer; seen: Log } => {
      const api = from.makeApiClient(library.CoreV1Api);
      const list = () => api.listNamespacedConfigMap({ namespace, ...(labelSelector && { labelSelector }) });
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      // The declared return type of `makeInformer` is too narrow.
      const informer = library.makeInformer(from, path, list, labelSelector) as Informer;
      const seen = new Log();
      for (const verb of ["add", "update", "delete"] as const) {
        informer.on(verb, ({ metadata }) => seen.add(`${verb} ${metadata?.name}`));
      }
      return { informer, seen };
    };

    test("an informer receives adds, updates and deletes", async () => {
      await create("before");
      const { informer, seen } = informerOf(config);
      await informer.start();
      await seen.has("add before");
      const body = await create("later");
      await seen.has("add later");
      await core().replaceNamespacedConfigMap({
        name: "later",
        namespace,
        body: { ...body, data: { a: "b" } },
      });
      await seen.has("update later");
      expect((informer.get("later", namespace) as ConfigMap | undefined)?.data).toEqual({ a: "b" });
      await core().deleteNamespacedConfigMap({ name: "later", namespace });
      await seen.has("delete later");
      expect(informer.get("later", namespace)).toBeUndefined();
      expect(server.openStreams).toBe(1);
      await informer.stop();
      await server.allEnded();
    });

    test("an informer with a selector sees objects start and stop matching", async () => {
      const { informer, seen } = informerOf(config, "tier=gold");
      await informer.start();
      const body = await create("member");
      const labelled = await core().replaceNamespacedConfigMap({
        name: "member",
        namespace,
        body: { ...body, metadata: { ...body.metadata, labels: { tier: "gold" } } },
      });
      await seen.has("add member");
      const plain = { ...labelled, metadata: { ...labelled.metadata, labels: {} } };
      await core().replaceNamespacedConfigMap({ name: "member", namespace, body: plain });
      await seen.has("delete member");
      await informer.stop();
      await server.allEnded();
    });

    test("an informer misses nothing when its connection breaks, even if history expires", async () => {
      const line = await Line.to(serving.port);
      const { informer, seen } = informerOf(
        configOf(serving.kubeconfig().replace(`:${serving.port}`, `:${line.port}`)),
      );
      // As recommended in the library's documentation.
      informer.on("error", () => {
        if (line.isUp) setTimeout(() => void informer.start(), 10);
        else line.onceUp(() => void informer.start());
      });
      await informer.start();
      await create("one");
      await seen.has("add one");

      line.cut();
      await server.allEnded();
      await create("two");
      line.restore();
      await seen.has("add two");

      line.cut();
      await server.allEnded();
      await core().deleteNamespacedConfigMap({ name: "one", namespace });
      await create("three");
      server.cluster.compact();
      line.restore();
      await seen.has("add three");
      await seen.has("delete one");
      expect(informer.list(namespace).map(({ metadata }) => metadata?.name)).toEqual(
        expect.arrayContaining(["two", "three"]),
      );
      await informer.stop();
      await server.allEnded();
      await line.close();
    });
  });
}

/** The recorded events of a client, with functions to wait for them. */
class Log {
  readonly entries: string[] = [];
  #wake: (() => void)[] = [];

  add(entry: string): void {
    this.entries.push(entry);
    for (const wake of this.#wake.splice(0)) wake();
  }

  async has(entry: string): Promise<void> {
    while (!this.entries.includes(entry)) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }
}

/** A proxy for a port whose connections a test can cut. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #whenUp: (() => void)[] = [];
  isUp = true;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(port: number): Promise<Line> {
    const server = createServer();
    const line = new Line(server);
    server.on("connection", (near) => line.#join(near, port));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return line;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    return address.port;
  }

  cut(): void {
    this.isUp = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.isUp = true;
    for (const resume of this.#whenUp.splice(0)) resume();
  }

  onceUp(resume: () => void): void {
    this.#whenUp.push(resume);
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket, port: number): void {
    if (!this.isUp) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
