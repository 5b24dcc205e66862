import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import type { SendRequest } from "../../registry/test-client.ts";

const container = { name: "c", image: "nginx:1" };
const toleration = { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 };
const sentence =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

async function made(spec: object, metadata: object = {}): Promise<SendRequest> {
  const send = askingForPods();
  const { code } = await send("POST", path, {
    metadata: { name: "p", ...metadata },
    spec: {
      containers: [container],
      tolerations: [toleration],
      automountServiceAccountToken: false,
      ...spec,
    },
  });
  expect(code).toBe(201);
  return send;
}

describe("a pod may change", () => {
  test.each<[string, object, object]>([
    ["an image", {}, { spec: { containers: [{ ...container, image: "nginx:2" }] } }],
    [
      "an image of an init container",
      { initContainers: [{ ...container, name: "i" }] },
      {
        spec: { initContainers: [{ ...container, name: "i", image: "z", imagePullPolicy: "IfNotPresent" }] },
      },
    ],
    [
      "labels, annotations and finalizers",
      {},
      { metadata: { labels: { a: "b" }, annotations: { c: "d" }, finalizers: ["e/f"] } },
    ],
    ["to have a deadline", {}, { spec: { activeDeadlineSeconds: 9 } }],
    ["its deadline to an earlier one", { activeDeadlineSeconds: 9 }, { spec: { activeDeadlineSeconds: 8 } }],
    [
      "a negative grace period to one",
      { terminationGracePeriodSeconds: -1 },
      { spec: { terminationGracePeriodSeconds: 1 } },
    ],
    ["gates by opening them", { schedulingGates: [{ name: "g" }] }, { spec: { schedulingGates: null } }],
    [
      "its node selector, to fewer nodes, while it has scheduling gates",
      { schedulingGates: [{ name: "g" }], nodeSelector: { a: "b" } },
      { spec: { nodeSelector: { c: "d" } } },
    ],
  ])("%s", async (_title, spec, patch) => {
    const send = await made(spec);
    expect(await send("PATCH", `${path}/p`, patch)).toMatchObject({ code: 200, findings: [], warnings: [] });
  });

  test("tolerations by adding one or changing their duration", async () => {
    const send = await made({});
    const { object } = await send("GET", `${path}/p`);
    const tolerations = [
      { ...toleration, tolerationSeconds: 7 },
      ...object.spec.tolerations.slice(1),
      { key: "b", operator: "Exists" },
    ];
    expect((await send("PATCH", `${path}/p`, { spec: { tolerations } })).findings).toEqual([]);
  });

  test("nothing in its status", async () => {
    const send = await made({});
    const { object } = await send("PATCH", `${path}/p`, { status: { phase: "Running" } });
    expect(object.status.phase).toBe("Pending");
  });
});

describe("a change of a pod is refused for", () => {
  test.each<[string, object, object, readonly unknown[]]>([
    ["a node", {}, { spec: { nodeName: "n" } }, [expect.stringContaining(sentence)]],
    [
      "a name of its host",
      {},
      { spec: { hostname: "h" } },
      [expect.stringMatching(/\n-\s+\tHostname:\s+"",\n\+\s+\tHostname:\s+"h",\n/)],
    ],
    [
      "another container",
      {},
      { spec: { containers: [container, { ...container, name: "d" }] } },
      ["spec.containers: Forbidden: pod updates may not add or remove containers"],
    ],
    [
      "another init container",
      {},
      { spec: { initContainers: [{ ...container, name: "d" }] } },
      ["spec.initContainers: Forbidden: pod updates may not add or remove containers"],
    ],
    [
      "an image with blanks",
      {},
      { spec: { containers: [{ ...container, image: " i" }] } },
      [1, 2].map(
        () => 'spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace',
      ),
    ],
    [
      "no image",
      {},
      { spec: { containers: [{ ...container, image: "" }] } },
      [1, 2].map(() => "spec.containers[0].image: Required value"),
    ],
    [
      "a deadline in the past",
      {},
      { spec: { activeDeadlineSeconds: -1 } },
      [1, 0].map(
        (least) =>
          `spec.activeDeadlineSeconds: Invalid value: -1: must be between ${least} and 2147483647, inclusive`,
      ),
    ],
    [
      "no service account, although it mounts its token",
      { volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] },
      { spec: { serviceAccountName: null, serviceAccount: null } },
      [
        "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
        expect.stringContaining(sentence),
      ],
    ],
    [
      "a later deadline",
      { activeDeadlineSeconds: 10 },
      { spec: { activeDeadlineSeconds: 20 } },
      ["spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value"],
    ],
    [
      "no deadline any more",
      { activeDeadlineSeconds: 10 },
      { spec: { activeDeadlineSeconds: null } },
      [
        'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
      ],
    ],
    [
      "fewer tolerations",
      {},
      { spec: { tolerations: null } },
      ["spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds"],
    ],
    [
      "new gates",
      { schedulingGates: [{ name: "g" }] },
      { spec: { schedulingGates: [{ name: "g" }, { name: "x" }] } },
      [
        "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'x'",
      ],
    ],
    [
      "labels of nodes that it no longer wants, while it is gated",
      { schedulingGates: [{ name: "g" }], nodeSelector: { a: "b" } },
      { spec: { nodeSelector: { a: "c" } } },
      [
        'spec.nodeSelector: Invalid value: map[string]string{"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
    [
      "labels of nodes when it is not gated",
      { nodeSelector: { a: "b" } },
      { spec: { nodeSelector: { c: "d" } } },
      [expect.stringContaining(sentence)],
    ],
  ])("%s", async (_title, spec, patch, findings) => {
    const send = await made(spec);
    expect((await send("PATCH", `${path}/p`, patch)).findings).toEqual(findings);
  });

  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const expression = { key: "a", operator: "Exists" };
  const terms = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;

  function affinity(...nodeSelectorTerms: readonly object[]): object {
    return { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } } };
  }

  test.each<[string, object, readonly unknown[]]>([
    [
      "nothing, if a term is narrowed",
      affinity({ matchExpressions: [expression, { ...expression, key: "b" }] }),
      [],
    ],
    [
      "a term that is another",
      affinity({ matchExpressions: [{ ...expression, key: "b" }] }),
      [
        expect.stringMatching(
          /nodeSelectorTerms\[0\]: Invalid value: core\.NodeSelectorTerm\{.*\}: only additions are allowed \(no mutations or deletions\)$/,
        ),
      ],
    ],
    [
      "one term more",
      affinity({ matchExpressions: [expression] }, { matchExpressions: [expression] }),
      [expect.stringMatching(/: no additions\/deletions to non-empty NodeSelectorTerms list are allowed$/)],
    ],
  ])("%s, while it is gated", async (_title, spec, findings) => {
    const send = await made({
      schedulingGates: [{ name: "g" }],
      ...affinity({ matchExpressions: [expression] }),
    });
    const answer = await send("PATCH", `${path}/p`, { spec });
    expect(answer.findings).toEqual(findings);
    for (const finding of answer.findings) expect(finding).toContain(terms);
  });

  test.each<[string, string]>([
    ["kubernetes.io/config.mirror", "mirror pod annotation"],
    ["container.apparmor.security.beta.kubernetes.io/c", "AppArmor annotations"],
  ])("the annotation %s", async (name, what) => {
    const send = await made({ nodeName: "n" }, { annotations: { [name]: "unconfined" } });
    const change = (value: string | null) => ({ metadata: { annotations: { [name]: value } } });
    const refused = [`metadata.annotations[${name}]: Forbidden: may not remove or update ${what}`];
    expect((await send("PATCH", `${path}/p`, change("runtime/default"))).findings).toEqual(refused);
    const without = await made({ nodeName: "n" });
    expect((await without("PATCH", `${path}/p`, change("unconfined"))).findings).toEqual([
      `metadata.annotations[${name}]: Forbidden: may not add ${what}`,
    ]);
  });
});

test("a diff shows the value behind a pointer where upstream's internal type has none", async () => {
  const volumes = (expirationSeconds: number) => [
    { name: "t", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds } }] } },
  ];
  const send = await made({ serviceAccountName: "default", volumes: volumes(3607) });
  const { findings } = await send("PATCH", `${path}/p`, { spec: { volumes: volumes(3608) } });
  const lines = findings
    .join()
    .split("\n")
    .filter((line) => line.includes("ExpirationSeconds"));
  expect(lines.map((line) => line.replace(/\s+/g, " "))).toEqual([
    "- ExpirationSeconds: 3607,",
    "+ ExpirationSeconds: 3608,",
  ]);
});
