import { describe, expect, test } from "vitest";
import { askingForPods, podsPath } from "./pods.ts";
import { quietCluster, testClient } from "./test-client.ts";

const container = { name: "c", image: "i" };
const projected = (source: object) => ({ name: "v", projected: { sources: [source] } });
const secretKeyRef = { name: "s", key: "k" };

function mirror(spec: object): object {
  const annotations = { "kubernetes.io/config.mirror": "x" };
  return { metadata: { name: "p", annotations }, spec: { nodeName: "n", containers: [container], ...spec } };
}

const noSecrets = "a mirror pod may not reference secrets";

describe("a mirror pod", () => {
  test.each<[title: string, spec: object, refusal: string]>([
    [
      "cannot have a service account",
      { serviceAccountName: "default" },
      "a mirror pod may not reference service accounts",
    ],
    [
      "cannot have a secret as a volume",
      { volumes: [{ name: "v", secret: { secretName: "s" } }] },
      noSecrets,
    ],
    [
      "cannot have a secret in a projected volume",
      { volumes: [projected({ secret: { name: "s" } })] },
      noSecrets,
    ],
    [
      "cannot have a secret for mounting a volume",
      { volumes: [{ name: "v", csi: { driver: "d.io", nodePublishSecretRef: { name: "s" } } }] },
      noSecrets,
    ],
    ["cannot have a secret for pulling images", { imagePullSecrets: [{ name: "s" }] }, noSecrets],
    [
      "cannot have a secret in an environment variable",
      { containers: [{ ...container, env: [{ name: "E", valueFrom: { secretKeyRef } }] }] },
      noSecrets,
    ],
    [
      "cannot have a secret as the source of its environment",
      { containers: [{ ...container, envFrom: [{ secretRef: { name: "s" } }] }] },
      noSecrets,
    ],
    [
      "cannot have a token",
      { volumes: [projected({ serviceAccountToken: { path: "t" } })] },
      "a mirror pod may not use ServiceAccountToken volume projections",
    ],
  ])("%s", async (_title, spec, refusal) => {
    const { code, findings } = await askingForPods()("POST", podsPath, mirror(spec));
    expect([code, findings]).toEqual([403, [`pods "p" is forbidden: ${refusal}`]]);
  });

  test("gets no service account, so no token can be bound to it", async () => {
    const send = askingForPods();
    const made = await send("POST", podsPath, mirror({}));
    expect([made.code, made.object.spec.serviceAccountName, made.object.spec.volumes]).toEqual([
      201,
      undefined,
      undefined,
    ]);
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p" };
    const token = "/api/v1/namespaces/default/serviceaccounts/default/token";
    expect(await send("POST", token, { spec: { boundObjectRef } })).toMatchObject({
      code: 400,
      findings: [
        'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
      ],
    });
  });
});

describe("a pod whose service account limits its secrets", () => {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const account = {
    metadata: { name: "a", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
    secrets: [{ name: "known" }],
    imagePullSecrets: [{ name: "pull" }],
  };
  const because = "is not allowed because service account a does not reference that";
  const named = `referencing secret.secretName="s" ${because} secret`;

  async function made() {
    const send = testClient(quietCluster());
    await send("POST", accounts, account);
    return send;
  }

  function pod(spec: object): object {
    return { metadata: { name: "p" }, spec: { serviceAccountName: "a", containers: [container], ...spec } };
  }

  test.each<[title: string, spec: object, refusal: string]>([
    [
      "cannot mount other secrets",
      { volumes: [{ name: "v", secret: { secretName: "s" } }] },
      `volume with secret.secretName="s" ${because} secret`,
    ],
    [
      "cannot use other secrets in environment variables",
      { containers: [{ ...container, env: [{ name: "E", valueFrom: { secretKeyRef } }] }] },
      `container c with envVar E ${named}`,
    ],
    [
      "cannot use other secrets in init containers",
      { initContainers: [{ ...container, name: "i", envFrom: [{ secretRef: { name: "s" } }] }] },
      `init container i with envFrom ${named}`,
    ],
    [
      "cannot pull images with other secrets",
      { imagePullSecrets: [{ name: "pull" }, { name: "s" }] },
      `imagePullSecrets[1].name="s" ${because} imagePullSecret`,
    ],
  ])("%s", async (_title, spec, refusal) => {
    const { findings } = await (await made())("POST", podsPath, pod(spec));
    expect(findings).toEqual([`pods "p" is forbidden: ${refusal}`]);
  });

  test("can use listed secrets, and cannot add others later", async () => {
    const send = await made();
    const env = [{ name: "E", valueFrom: { secretKeyRef: { name: "known", key: "k" } } }];
    const volumes = [{ name: "v", secret: { secretName: "known" } }];
    expect((await send("POST", podsPath, pod({ volumes, containers: [{ ...container, env }] }))).code).toBe(
      201,
    );
    const ephemeralContainers = [
      { name: "d", image: "i", env: [{ name: "E", valueFrom: { secretKeyRef } }] },
    ];
    const { findings } = await send("PATCH", `${podsPath}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers },
    });
    expect(findings).toEqual([`pods "p" is forbidden: ephemeral container d with envVar E ${named}`]);
  });

  test("can use any secret if the annotation says no", async () => {
    const send = await made();
    await send("PATCH", `${accounts}/a`, {
      metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "no" } },
    });
    expect((await send("POST", podsPath, pod({ imagePullSecrets: [{ name: "s" }] }))).code).toBe(201);
  });
});

test("a pod with its own token volume has that volume mounted", async () => {
  const volume = { name: "kube-api-access-mine", emptyDir: {} };
  const { object } = await askingForPods()("POST", podsPath, {
    metadata: { name: "p" },
    spec: { containers: [container], volumes: [volume] },
  });
  expect(object.spec.volumes).toEqual([volume]);
  expect(object.spec.containers[0].volumeMounts).toEqual([
    { name: volume.name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
  ]);
});
