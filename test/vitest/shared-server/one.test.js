import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { test } from "kubedouble/vitest";
import { expect, inject } from "vitest";

/** Uses the kubeconfig, like any client. */
function read(path) {
  const { url, kubeconfig } = inject("kubedouble");
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name) => new RegExp(`${name}: "?([^"\\n]+)`).exec(text)?.[1] ?? "";
  const ca = Buffer.from(field("certificate-authority-data"), "base64");
  const headers = { authorization: `Bearer ${field("token")}` };
  return new Promise((resolve, reject) => {
    get(url + path, { ca, headers }, (response) => {
      response
        .setEncoding("utf8")
        .toArray()
        .then((parts) => resolve(JSON.parse(parts.join(""))), reject);
    }).on("error", reject);
  });
}

test("every worker finds the shared server of the run", async ({ cluster }) => {
  const { metadata } = await read("/api/v1/namespaces/kube-system");
  const own = await cluster.get("v1", "Namespace", "kube-system");
  expect(own.metadata.uid).not.toBe(metadata.uid);
  writeFileSync("one.uid", metadata.uid);
});
