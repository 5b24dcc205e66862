import { beforeAll, expect, test } from "vitest";
import { binding, policy } from "../admission/policy-objects.ts";
import { QuietServer } from "../conformance/quiet-server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/** A new server with a policy that denies what a label says; sends requests, and reads how the policy refuses them. */
function newServer() {
  const rule = {
    apiGroups: ["", "coordination.k8s.io"],
    apiVersions: ["v1"],
    operations: ["CREATE", "UPDATE"],
    resources: ["configmaps", "leases"],
  };
  const expression =
    "request.name != 'denied' && request.operation != object.?metadata.?labels.?no.orValue('')";
  const messageExpression = "'denied ' + request.operation + ' ' + request.name";
  const validating = policy("Validating", {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression, messageExpression }],
  });
  const server = new QuietServer({ objects: [validating, binding("Validating")] });
  /** The message of a refusal, after that of the policy; undefined for a success. */
  const refusal = async (method: string, target: string, body?: object, type = "application/json") => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await server.ask({ method, target, headers: { "content-type": type }, ...text });
    if (answer.status < 300) return undefined;
    return JSON.parse(answer.text).message.replace(/.*denied request: /, "");
  };
  return { server, refusal };
}

// The first evaluation of a policy loads code, which takes longer than the tests.
beforeAll(async () => {
  const { refusal } = newServer();
  await refusal("POST", configMaps, named("denied"));
  await refusal("PUT", `${leases}/a`, named("a"));
  await refusal("PATCH", `${leases}/a`, named("a"), "application/merge-patch+json");
  await refusal("DELETE", configMaps);
});

const named = (name: string, labels: object = {}) => ({ metadata: { name, labels } });

test("a create is admitted by its name, and denied without a trace", async () => {
  const { server, refusal } = newServer();
  expect(await refusal("POST", configMaps, named("denied"))).toBe("denied CREATE denied");
  expect(await refusal("POST", configMaps, named("a", { no: "UPDATE" }))).toBeUndefined();
  expect(await refusal("POST", configMaps, named("b", { no: "CREATE" }))).toBe("denied CREATE b");
  expect(JSON.parse((await server.ask({ method: "GET", target: configMaps })).text).items.length).toBe(1);
});

test("an update is admitted as an update, and one that creates as a create", async () => {
  const { refusal } = newServer();
  expect(await refusal("POST", configMaps, named("a"))).toBeUndefined();
  expect(await refusal("PUT", `${configMaps}/a`, named("a", { no: "UPDATE" }))).toBe("denied UPDATE a");
  expect(await refusal("PUT", `${configMaps}/a`, named("a", { no: "CREATE" }))).toBeUndefined();
  expect(await refusal("PUT", `${leases}/a`, named("a", { no: "CREATE" }))).toBe("denied CREATE a");
  expect(await refusal("PUT", `${leases}/a`, named("a", { no: "UPDATE" }))).toBeUndefined();
  const merge = "application/merge-patch+json";
  const change = (no: string) => ({ metadata: { labels: { no } } });
  expect(await refusal("PATCH", `${leases}/a`, change("CREATE"), merge)).toBeUndefined();
  expect(await refusal("PATCH", `${leases}/a`, change("UPDATE"), merge)).toBe("denied UPDATE a");
});

test("the deletion of a collection is admitted without a name, even if a selector has one", async () => {
  const { server, refusal } = newServer();
  expect(await refusal("POST", configMaps, named("a"))).toBeUndefined();
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] };
  const expression = "request.?name.orValue('') == ''";
  const validations = [{ expression, messageExpression: "'named ' + request.name" }];
  const unnamed = policy(
    "Validating",
    { matchConstraints: { resourceRules: [rule] }, validations },
    "unnamed",
  );
  await server.cluster.create(unnamed);
  await server.cluster.create(binding("Validating", { policyName: "unnamed" }, "unnamed"));
  await server.cluster.settle();
  expect(await refusal("DELETE", `${configMaps}/a`)).toBe("named a");
  expect(await refusal("DELETE", `${configMaps}?fieldSelector=metadata.name%3Da`)).toBeUndefined();
  expect(await refusal("GET", `${configMaps}/a`)).toBe('configmaps "a" not found');
});
