import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { pythonWithKubernetes } from "../../scoreboard/python.ts";
import { createCluster, VirtualClock } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

const python = pythonWithKubernetes();
if (python === undefined) console.log("skipped: there is no Python with the package kubernetes");

test.skipIf(python === undefined)(
  "Python's client in a pod uses the mounted token and authority",
  async () => {
    const clock = new VirtualClock("2030-01-01T00:00:00Z");
    const cluster = createCluster({ clock, authorizationMode: "RBAC" });
    const server = await serve(cluster);
    const directory = mkdtempSync(join(tmpdir(), "kubedouble-python-"));
    const mount = (name: string, text: string) => writeFileSync(join(directory, name), text);
    const reader = { kind: "ServiceAccount", name: "default", namespace: "default" };
    const api = "rbac.authorization.k8s.io";
    await cluster.create({
      apiVersion: `${api}/v1`,
      kind: "RoleBinding",
      metadata: { name: "readers" },
      roleRef: { apiGroup: api, kind: "ClusterRole", name: "view" },
      subjects: [reader],
    });
    const requestToken = async (): Promise<string> => {
      const apiVersion = "authentication.k8s.io/v1";
      const spec = { expirationSeconds: 600 };
      const request = { apiVersion, kind: "TokenRequest", metadata: { name: "default" }, spec };
      const created = await cluster.create(request, { subresource: "token", namespace: "default" });
      return (created as unknown as { readonly status: { readonly token: string } }).status.token;
    };
    mount("ca.crt", server.caCertificate);
    mount("namespace", "default");
    mount("token", await requestToken());
    const program = resolve("test/interoperability/programs/in_cluster.py");
    const child = spawn(python ?? "", [program, directory], {
      env: {
        ...process.env,
        KUBERNETES_SERVICE_HOST: "127.0.0.1",
        KUBERNETES_SERVICE_PORT: String(server.port),
        // No proxy stands between a pod and its server.
        NO_PROXY: "127.0.0.1",
        no_proxy: "127.0.0.1",
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const answerTo = async (step: string) => {
      child.stdin.write(`${step}\n`);
      return (await lines.next()).value;
    };
    try {
      expect(await answerTo("mounted")).toBe("mounted: kube-root-ca.crt");
      await clock.advance("11m1s");
      expect(await answerTo("expired")).toBe("expired: 401 Unauthorized");
      mount("token", await requestToken());
      expect(await answerTo("rotated")).toBe("rotated: kube-root-ca.crt");
      expect(cluster.requests.matching({ resource: "configmaps" }).map(({ user }) => user)).toEqual([
        "system:serviceaccount:default:default",
        "",
        "system:serviceaccount:default:default",
      ]);
    } finally {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
      await server.close();
      await cluster.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
