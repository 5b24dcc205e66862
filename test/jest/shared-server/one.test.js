const { readFileSync, writeFileSync } = require("node:fs");
const https = require("node:https");
const { sharedServer } = require("kubedouble/jest");

/** Uses the kubeconfig, like any client. */
function read(path) {
  const { url, kubeconfig } = sharedServer();
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name) => new RegExp(`${name}: "?([^"\\n]+)`).exec(text)?.[1] ?? "";
  const ca = Buffer.from(field("certificate-authority-data"), "base64");
  const headers = { authorization: `Bearer ${field("token")}` };
  return new Promise((resolve, reject) => {
    https
      .get(url + path, { ca, headers }, (response) => {
        response
          .setEncoding("utf8")
          .toArray()
          .then((parts) => resolve(JSON.parse(parts.join(""))), reject);
      })
      .on("error", reject);
  });
}

test("every worker finds the shared server of the run", async () => {
  const { metadata } = await read("/api/v1/namespaces/kube-system");
  writeFileSync("one.uid", metadata.uid);
});
