import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createIssuer } from "../../src/index.ts";
import { serveIssuer } from "../../src/transports/node/node.ts";
import { ask, run, serving } from "./command.ts";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-test-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

test("--authentication-config trusts issuers, and is read again when it changes", async () => {
  const issuer = createIssuer({ algorithm: "ES256" });
  const endpoint = await serveIssuer(issuer);
  const configuration = (prefix: string) =>
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: {
            url: endpoint.url,
            audiences: ["kubernetes"],
            certificateAuthority: endpoint.caCertificate,
          },
          claimMappings: { username: { expression: `'${prefix}:' + claims.sub` } },
        },
      ],
    });
  const path = file("authentication.json", configuration("old"));
  const server = await serving("--authentication-config", path);
  try {
    const refusal = async (): Promise<string> => {
      const token = await issuer.token({ claims: { jti: crypto.randomUUID() } });
      const { body } = await ask(server.kubeconfig, "/api/v1/pods", token);
      return JSON.parse(body).message;
    };
    expect(await refusal()).toContain('User "old:alice" cannot list resource "pods"');
    file("authentication.json", configuration("new"));
    await expect.poll(refusal, { timeout: 20_000, interval: 200 }).toContain('User "new:alice" cannot list');
    const { body } = await ask(server.kubeconfig, "/metrics");
    expect(body).toMatch(
      /^apiserver_authentication_config_controller_automatic_reloads_total\{.*"success"\} 1$/m,
    );
  } finally {
    server.child.kill();
    await server.ended;
    await endpoint.close();
  }
});

test("a configuration that cannot be read ends the command", async () => {
  const path = file("wrong.yaml", "kind: AuthenticationConfiguration\n");
  const { status, stderr } = await run("serve", "--port=0", "--authentication-config", path);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `failed to load authentication configuration from file "${path}": Object 'apiVersion' is missing in`,
  );
});

test("flags that are not valid end the command", async () => {
  const flags = ["--oidc-issuer-url=http://a.test", "--oidc-client-id=c"];
  const { status, stderr } = await run("serve", "--port=0", ...flags);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://a.test": URL scheme must be https',
  );
});
