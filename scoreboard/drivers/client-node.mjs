// `node client-node.mjs PACKAGE TASK`: code that users write with @kubernetes/client-node, with KUBECONFIG. A follower prints
// `ADDED name n` and so on for each event; every task prints `STOPPED words` when the library reports its end.
import { PassThrough } from "node:stream";

const [, , packageName = "", task = ""] = process.argv;
/** @type {typeof import("client-node-1")} */
const { CoreV1Api, Exec, KubeConfig, KubernetesObjectApi, Log, makeInformer } = await import(packageName);

const namespace = "default";
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const api = kubeConfig.makeApiClient(CoreV1Api);

// Node has nothing left to wait for but a promise.
let isSettled = false;
process.once("beforeExit", () => {
  if (!isSettled) console.log("STOPPED", "its promise never settles");
});

/** @type {{ readonly [task: string]: () => Promise<unknown> }} */
const tasks = { follow, write, create, delete: remove, list, listNone, discover, execute, followLog };
await tasks[task]?.().catch((error) => {
  console.log("STOPPED", `exception: ${wordsOf(error)}`);
  process.exitCode = 1;
});
isSettled = true;

/** @param {{ code?: string | number, statusCode?: number, message?: string }} error */
function wordsOf({ code, statusCode, message }) {
  return code ?? statusCode ?? message;
}

/** An informer as in the library's examples, except that it is not restarted after an error. */
async function follow() {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer(kubeConfig, path, () => api.listNamespacedConfigMap({ namespace }));
  for (const [verb, type] of /** @type {const} */ ([
    ["add", "ADDED"],
    ["update", "MODIFIED"],
    ["delete", "DELETED"],
  ])) {
    informer.on(verb, ({ metadata, data }) => console.log(type, metadata?.name, data?.["n"]));
  }
  informer.on("error", (error) => console.log("STOPPED", `error event: ${wordsOf(error)}`));
  await informer.start();
}

async function write() {
  const body = await api.readNamespacedConfigMap({ name: "a", namespace });
  await api.replaceNamespacedConfigMap({ name: "a", namespace, body: { ...body, data: { n: "2" } } });
}

async function create() {
  await api.createNamespacedConfigMap({ namespace, body: { metadata: { name: "c" }, data: { n: "1" } } });
}

/** The library does not paginate by itself: a plain loop. */
async function list() {
  const names = [];
  let token;
  do {
    const page = await api.listNamespacedConfigMap({
      namespace,
      limit: 1,
      ...(token && { _continue: token }),
    });
    names.push(...page.items.map(({ metadata }) => metadata?.name));
    token = page.metadata?._continue;
  } while (token);
  console.log("LISTED", names.sort().join(" "));
}

async function listNone() {
  const { items } = await api.listNamespacedSecret({ namespace });
  for (const { metadata } of items) console.log(metadata?.name);
}

async function remove() {
  await api.deleteNamespacedConfigMap({ name: "a", namespace });
}

async function discover() {
  const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
  await objects.read({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace } });
}

/** The exit code is that of the command in the pod. */
async function execute() {
  const { stdout, stderr } = process;
  /** @type {import("client-node-1").V1Status} */
  const status = await new Promise((resolve, reject) => {
    const exec = new Exec(kubeConfig);
    exec.exec(namespace, "web", "web", ["count"], stdout, stderr, null, false, resolve).catch(reject);
  });
  process.exitCode = Number(
    status.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message ?? 0,
  );
}

async function followLog() {
  const stream = new PassThrough();
  stream.pipe(process.stdout);
  await new Log(kubeConfig).log(namespace, "web", "web", stream, { follow: true });
}
