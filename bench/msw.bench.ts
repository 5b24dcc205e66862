import { CoreV1Api, KubeConfig } from "client-node-1";
import { HttpResponse, http } from "msw-2";
import { setupServer } from "msw-2/node";
import { kubernetesHandlers } from "../src/transports/web/msw.ts";
import type { Benchmark } from "./benchmark.ts";
import { answerOf, compared, filled, mocks, ours, paths } from "./mocked.ts";

export const benchmarks: readonly Benchmark[] = [
  compared("GET of a ConfigMap by fetch, MSW", 2, withMsw, (url) => read(url + paths.settings)),
  compared("list of 200 pods by fetch, MSW", 1, withMsw, (url) => read(url + paths.pods)),
  compared("list of 200 pods by @kubernetes/client-node, MSW", 1.2, withMsw, listed),
];

async function withMsw(measure: () => Promise<number>): Promise<number> {
  const cluster = await filled();
  const mocked = await Promise.all(
    Object.values(paths).map(async (path) => {
      const answer = await answerOf(cluster, path);
      return http.get(mocks + path, () => HttpResponse.json(answer));
    }),
  );
  // The types of versions are strangers to each other.
  const server = setupServer(...mocked, ...(kubernetesHandlers(cluster, ours) as never[]));
  server.listen({ onUnhandledRequest: "error" });
  const ratio = await measure();
  server.close();
  await cluster.close();
  return ratio;
}

async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  return await response.json();
}

const clients = new Map([mocks, ours].map((url) => [url, clientOf(url)]));

async function listed(url: string): Promise<unknown> {
  return await clients.get(url)?.listNamespacedPod({ namespace: "default" });
}

function clientOf(url: string): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: "cluster", server: url, skipTLSVerify: true }, { name: "user" });
  return config.makeApiClient(CoreV1Api);
}
