import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RawAnswer, RawRequest } from "./quiet-server.ts";
import { configMaps, quietServer } from "./refusals.ts";

const server = quietServer();
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";
const map = `${configMaps}/there`;
const deployment = `${deployments}/there`;

function sent(method: string, target: string, type: string, body: string | Uint8Array): RawRequest {
  return { method, target, headers: { "content-type": `application/${type}` }, body };
}

const selector = { matchLabels: { app: "there" } };
const template = {
  metadata: { labels: { app: "there" } },
  spec: { containers: [{ name: "a", image: "a" }] },
};

beforeAll(() =>
  server.cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } }),
);

beforeEach(async () => {
  const objects: readonly [string, object][] = [
    [configMaps, { metadata: { name: "there" }, data: { k: "v" } }],
    [deployments, { metadata: { name: "there" }, spec: { replicas: 1, selector, template } }],
    [pods, { metadata: { name: "there" }, spec: template.spec }],
  ];
  for (const [collection, object] of objects) {
    await server.ask({ method: "DELETE", target: `${collection}/there?gracePeriodSeconds=0` });
    const made = await server.ask(sent("POST", collection, "json", JSON.stringify(object)));
    expect(made.status).toBe(201);
  }
  await server.ask({ method: "DELETE", target: `${configMaps}/new` });
});

/** The texts of the warnings; headers escape their quotes. */
function warningsOf({ headers }: RawAnswer): string[] {
  const texts = (headers.get("warning") ?? "").matchAll(/299 - "((?:\\.|[^"])*)"/g);
  return [...texts].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}

/** Stands for the patched object, which the messages contain. */
const theDocument = "the document";

function messageOf({ text }: RawAnswer): string {
  return JSON.parse(text).message.replace(/(?<=patch: Invalid value: )"\{(?:\\.|[^"])*"/, theDocument);
}

function withQuery(request: RawRequest, query: string): RawRequest {
  return { ...request, target: `${request.target}${request.target.includes("?") ? "&" : "?"}${query}` };
}

/** A write with unknown or duplicate fields. */
interface Case {
  readonly title: string;
  readonly request: RawRequest;
  /** The expected warnings. */
  readonly warnings: readonly string[];
  /** The error of strict validation. */
  readonly refusal: readonly [code: number, message: string];
}

/** A body for which strict validation returns the error of POST and PUT: `ConfigMap in version "v1"`. */
function body(title: string, request: RawRequest, kind: string, version: string, errors: string[]): Case {
  const message = `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${errors.join(", ")}`;
  const lines = errors.flatMap((error) => error.replace("yaml: unmarshal errors:\n", "").split("\n"));
  return { title, request, warnings: lines.map((line) => line.trim()), refusal: [400, message] };
}

/** A patch; the error of strict validation contains its result, or a part of it. */
function patch(title: string, request: RawRequest, shown: string, errors: string[]): Case {
  const problem = `strict decoding error: ${errors.join(", ")}`;
  const message = ` "" is invalid: patch: Invalid value: ${shown}: ${problem}`;
  return { title, request, warnings: errors, refusal: [422, message] };
}

const unknown = (field: string) => `unknown field "${field}"`;
const duplicate = (field: string) => `duplicate field "${field}"`;
const twice = '"data":{"k":"1","k":"2"}';
const yamlTwice = "data:\n  k: '1'\n  k: '2'\n";
const yamlError = (line: number, key = "k") =>
  `yaml: unmarshal errors:\n  line ${line}: key "${key}" already set in map`;

const bodies: readonly Case[] = [
  body(
    "POST of JSON",
    sent("POST", configMaps, "json", `{"metadata":{"name":"new"},"zork":1,${twice}}`),
    "ConfigMap",
    "v1",
    [unknown("zork"), duplicate("data.k")],
  ),
  body(
    "POST of YAML, with duplicate keys first",
    sent("POST", configMaps, "yaml", `metadata: {name: new, zork: 1}\n${yamlTwice}`),
    "ConfigMap",
    "v1",
    [yamlError(4), unknown("metadata.zork")],
  ),
  body(
    "PUT of JSON",
    sent("PUT", map, "json", `{"metadata":{"name":"there","name":"there","Labels":{}},"Data":{}}`),
    "ConfigMap",
    "v1",
    [duplicate("metadata.name"), unknown("metadata.Labels"), unknown("Data")],
  ),
  body(
    "PUT of YAML",
    sent("PUT", map, "yaml", `metadata: {name: there}\n${yamlTwice}zork: 1\n`),
    "ConfigMap",
    "v1",
    [yamlError(4), unknown("zork")],
  ),
  body(
    "PUT of a status",
    sent("PUT", `${deployment}/status`, "json", '{"metadata":{"name":"there"},"status":{"zork":1}}'),
    "Deployment",
    "v1",
    [unknown("status.zork")],
  ),
  body(
    "PUT of a scale",
    sent(
      "PUT",
      `${deployment}/scale`,
      "json",
      '{"metadata":{"name":"there"},"spec":{"replicas":1,"zork":1}}',
    ),
    "Scale",
    "v1",
    [unknown("spec.zork")],
  ),
  body(
    "POST of an eviction",
    sent("POST", `${pods}/there/eviction`, "json", '{"metadata":{"name":"there"},"zork":1}'),
    "Eviction",
    "v1",
    [unknown("zork")],
  ),
  body(
    "POST of a token request",
    sent("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", "json", '{"spec":{"zork":1}}'),
    "TokenRequest",
    "v1",
    [unknown("spec.zork")],
  ),
  body(
    "POST of a review",
    sent(
      "POST",
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      "json",
      '{"spec":{"resourceAttributes":{"zork":1,"verb":"get","verb":"get"}}}',
    ),
    "SelfSubjectAccessReview",
    "v1",
    [unknown("spec.resourceAttributes.zork"), duplicate("spec.resourceAttributes.verb")],
  ),
  body(
    "PUT of lists and maps",
    sent(
      "PUT",
      deployment,
      "json",
      JSON.stringify({
        metadata: { name: "there" },
        spec: {
          selector,
          template: {
            ...template,
            spec: {
              containers: [{ name: "a", image: "a", zork: 1, resources: { limits: { cpu: 1 }, zork: 1 } }],
            },
          },
        },
      }),
    ),
    "Deployment",
    "v1",
    [
      unknown("spec.template.spec.containers[0].zork"),
      unknown("spec.template.spec.containers[0].resources.zork"),
    ],
  ),
];

const patches: readonly Case[] = [
  patch(
    "a JSON patch, with its own findings before those of the object",
    sent(
      "PATCH",
      map,
      "json-patch+json",
      '[{"op":"add","path":"/zork","value":{"a":1,"a":2},"bogus":1,"op":"add"},{"Op":"x","op":"test","path":"/kind","value":"ConfigMap"}]',
    ),
    theDocument,
    [
      'json patch duplicate field "[0].value.a"',
      'json patch unknown field "[0].bogus"',
      'json patch duplicate field "[0].op"',
      'json patch unknown field "[1].Op"',
      unknown("zork"),
    ],
  ),
  patch(
    "a merge patch, which can only have duplicate fields",
    sent("PATCH", map, "merge-patch+json", `{"zork":{"a":1},"metadata":{"Name":"x"},${twice}}`),
    theDocument,
    [duplicate("data.k"), unknown("metadata.Name"), unknown("zork")],
  ),
  patch(
    "a strategic merge patch, with sorted findings",
    sent(
      "PATCH",
      map,
      "strategic-merge-patch+json",
      `{"zork":{"a":1},"metadata":{"zork":1},"Data":{},${twice}}`,
    ),
    '"map[Data:map[] data:map[k:2] metadata:map[zork:1] zork:map[a:1]]"',
    [duplicate("data.k"), unknown("Data"), unknown("metadata.zork"), unknown("zork")],
  ),
  patch(
    "a merge patch of a status",
    sent("PATCH", `${deployment}/status`, "merge-patch+json", '{"status":{"zork":1}}'),
    theDocument,
    [unknown("status.zork")],
  ),
  patch(
    "a JSON patch of a scale",
    sent("PATCH", `${deployment}/scale`, "json-patch+json", '[{"op":"add","path":"/spec/zork","value":1}]'),
    theDocument,
    [unknown("spec.zork")],
  ),
  patch(
    "a strategic merge patch of a list",
    sent(
      "PATCH",
      deployment,
      "strategic-merge-patch+json",
      '{"spec":{"template":{"spec":{"containers":[{"name":"a","zork":1}]}}}}',
    ),
    '"map[spec:map[template:map[spec:map[containers:[map[name:a zork:1]]]]]]"',
    [unknown("spec.template.spec.containers[0].zork")],
  ),
  {
    title: "an apply, which can only have duplicate fields",
    request: sent(
      "PATCH",
      `${map}?fieldManager=m&force=true`,
      "apply-patch+yaml",
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there}\n${yamlTwice}`,
    ),
    warnings: [`line 6: key "k" already set in map`],
    refusal: [400, `error strict decoding YAML: error converting YAML to JSON: ${yamlError(6)}`],
  },
];

describe("unknown and duplicate fields cause warnings by default:", () => {
  for (const { title, request, warnings, refusal } of [...bodies, ...patches]) {
    describe(title, () => {
      test.each(["", "fieldValidation=", "fieldValidation=Warn"])(
        "with the query %j the response has warnings",
        async (query) => {
          const answer = await server.ask(query === "" ? request : withQuery(request, query));
          expect([Math.floor(answer.status / 100), warningsOf(answer)]).toEqual([2, warnings]);
        },
      );

      test("with Ignore there are no warnings", async () => {
        const answer = await server.ask(withQuery(request, "fieldValidation=Ignore"));
        expect([Math.floor(answer.status / 100), warningsOf(answer)]).toEqual([2, []]);
      });

      test("with Strict the write is refused", async () => {
        const revision = await server.revision();
        const answer = await server.ask(withQuery(request, "fieldValidation=Strict"));
        expect([answer.status, messageOf(answer), warningsOf(answer)]).toEqual([...refusal, []]);
        expect(await server.revision()).toBe(revision);
      });
    });
  }
});

describe("field validation", () => {
  const many = Array.from({ length: 150 }, (_, i) => `z${String(i).padStart(3, "0")}`);
  const members = many.map((key) => `"${key}":1`).join();
  const named = (keys: readonly string[]) => keys.map((key) => unknown(key)).join(", ");
  const operations = JSON.stringify(many.map((key) => ({ op: "add", path: `/${key}`, value: 1, [key]: 1 })));
  const ofPatch = many.map((key, i) => `json patch unknown field "[${i}].${key}"`);

  test.each<[title: string, request: RawRequest, code: number, problems: string]>([
    [
      "lists at most a hundred fields of a body",
      sent("POST", configMaps, "json", `{${members},"metadata":{"name":"new"}}`),
      400,
      named(many.slice(0, 100)),
    ],
    [
      "lists at most a hundred fields of a JSON patch, and a hundred of the object",
      sent("PATCH", map, "json-patch+json", operations),
      422,
      `${ofPatch.slice(0, 100).join(", ")}, ${named(many.slice(0, 100))}`,
    ],
    [
      "lists all fields of the result of a strategic merge patch",
      sent("PATCH", map, "strategic-merge-patch+json", `{${members}}`),
      422,
      named(many),
    ],
  ])("%s", async (_title, request, code, problems) => {
    const answer = await server.ask(withQuery(request, "fieldValidation=Strict"));
    expect(answer.status).toBe(code);
    expect(messageOf(answer).split("strict decoding error: ")[1]).toBe(problems);
  });

  test("reports a repeated error once", async () => {
    const repeated = '{"zork":1,"zork":2,"data":{"k":"1","k":"2","k":"3"},"metadata":{"name":"new"}}';
    const answer = await server.ask(sent("POST", configMaps, "json", repeated));
    expect(warningsOf(answer)).toEqual([unknown("zork"), duplicate("data.k")]);
  });

  test("returns warnings even if a later check refuses the write", async () => {
    const answer = await server.ask(sent("POST", configMaps, "json", '{"metadata":{"name":"A"},"zork":1}'));
    expect([answer.status, warningsOf(answer)]).toEqual([422, [unknown("zork")]]);
  });

  test("runs after the check of the kind, and before that of the version", async () => {
    const ask = (kind: string, query: string) => {
      const object = { apiVersion: "autoscaling/v1", kind, metadata: { name: "new" }, zork: 1 };
      const target = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
      return server.ask(withQuery(sent("POST", target, "json", JSON.stringify(object)), query));
    };
    const strict = "fieldValidation=Strict";
    expect(messageOf(await ask("Scale", strict))).toBe(
      'Scale in version "v1" cannot be handled as a HorizontalPodAutoscaler: converting (v1.Scale) to (autoscaling.HorizontalPodAutoscaler): unknown conversion',
    );
    expect(messageOf(await ask("HorizontalPodAutoscaler", strict))).toBe(
      'HorizontalPodAutoscaler in version "v1" cannot be handled as a HorizontalPodAutoscaler: strict decoding error: unknown field "zork"',
    );
    const warned = await ask("HorizontalPodAutoscaler", "");
    expect(messageOf(warned)).toBe(
      "the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)",
    );
    expect(warningsOf(warned)).toEqual([unknown("zork")]);
  });

  test.each([
    ["Ignored", '"Ignored"'],
    ["strict", '"strict"'],
    ["Warn&fieldValidation=Zork", undefined],
    ["Zork&fieldValidation=Warn", '"Zork"'],
  ])("with %s is refused, or uses the first of several values", async (query, shown) => {
    const request = sent("POST", configMaps, "json", '{"metadata":{"name":"new"}}');
    const answer = await server.ask(withQuery(request, `fieldValidation=${query}`));
    if (shown === undefined) expect(answer.status).toBe(201);
    else
      expect(messageOf(answer)).toBe(
        `CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: ${shown}: supported values: "", "Ignore", "Strict", "Warn"`,
      );
  });

  test.each(["fieldValidation=Strict", "fieldValidation=Zork"])(
    "with %s has no effect on reads and deletions",
    async (query) => {
      expect((await server.ask({ method: "GET", target: `${map}?${query}` })).status).toBe(200);
      const deletion = sent("DELETE", map, "json", '{"zork":1,"kind":"DeleteOptions","apiVersion":"v1"}');
      const answer = await server.ask(withQuery(deletion, query));
      expect([answer.status, warningsOf(answer)]).toEqual([200, []]);
    },
  );
});
