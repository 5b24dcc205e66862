import { once } from "node:events";
import http from "node:http";
import { json } from "node:stream/consumers";
import nock from "nock-14";
import { interceptKubernetes } from "../src/transports/node/nock.ts";
import type { Benchmark } from "./benchmark.ts";
import { answerOf, compared, filled, mocks, ours, paths } from "./mocked.ts";

export const benchmarks: readonly Benchmark[] = [
  compared("GET of a ConfigMap by node:http, nock", 2, withNock, (url) => read(url + paths.settings)),
  compared("list of 200 pods by node:http, nock", 1, withNock, (url) => read(url + paths.pods)),
];

async function withNock(measure: () => Promise<number>): Promise<number> {
  const cluster = await filled();
  for (const path of Object.values(paths)) {
    const answer = await answerOf(cluster, path);
    nock(mocks)
      .persist()
      .get(path)
      .reply(200, () => answer);
  }
  const interception = interceptKubernetes(cluster, ours);
  const ratio = await measure();
  interception.restore();
  nock.cleanAll();
  await cluster.close();
  return ratio;
}

async function read(url: string): Promise<unknown> {
  const [response] = await once(http.get(url), "response");
  return await json(response);
}
