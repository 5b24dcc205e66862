import { expect, test } from "vitest";
import { type ClusterOptions, createCluster } from "../../src/index.ts";

const origin = "http://localhost:5173";
const options: ClusterOptions = { corsAllowedOrigins: ["^http://localhost(:\\d+)?$"], anonymousAuth: false };

async function ask(method: string, from: string, clusterOptions: ClusterOptions): Promise<Response> {
  await using cluster = createCluster(clusterOptions);
  const headers = {
    origin: from,
    authorization: method === "OPTIONS" ? "" : `Bearer ${cluster.token("alice")}`,
  };
  return await cluster.fetch("https://cluster.test/api/v1/pods", { method, headers });
}

const granted = {
  "access-control-allow-origin": origin,
  "access-control-allow-methods": "POST, GET, OPTIONS, PUT, DELETE, PATCH",
  "access-control-allow-headers":
    "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since",
  "access-control-expose-headers": "Date",
  "access-control-allow-credentials": "true",
};

function grantIn({ headers }: Response): object {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

test("a page of an allowed origin may read answers", async () => {
  const answer = await ask("GET", origin, options);
  expect([answer.status, grantIn(answer)]).toEqual([200, granted]);
});

test("a preflight request of an allowed origin needs no credentials", async () => {
  const answer = await ask("OPTIONS", origin, options);
  expect([answer.status, grantIn(answer)]).toEqual([204, granted]);
});

test("refusals can be read too", async () => {
  const answer = await ask("GET", origin, { ...options, authorizationMode: "AlwaysDeny" });
  expect([answer.status, grantIn(answer)]).toEqual([403, granted]);
});

test.each<[string, string, string, ClusterOptions, number]>([
  ["another origin", "GET", "http://evil.test", options, 200],
  ["an origin without a match to its end", "GET", `${origin}.evil.test`, options, 200],
  ["a preflight request of another origin", "OPTIONS", "http://evil.test", options, 401],
  ["a cluster without the option", "GET", origin, {}, 200],
])("%s gets no permission", async (_what, method, from, clusterOptions, status) => {
  const answer = await ask(method, from, clusterOptions);
  expect([answer.status, grantIn(answer)]).toEqual([status, {}]);
});

test("an invalid pattern is an error of the option", () => {
  expect(() => createCluster({ corsAllowedOrigins: [".*"] })).toThrow(
    'createCluster: corsAllowedOrigins has an invalid regular expression: ".*": regular expression does not pin',
  );
});
