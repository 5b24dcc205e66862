import https from "node:https";

/** Calls the API server of this pod, as in-cluster code does, using only Node. */
function call(method, path, body, contentType = "application/json") {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, TOKEN: token } = process.env;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": contentType };
    const sent = https.request({ host, port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Gives a secret a new password and keeps the previous one. Creates the secret if it does not exist. */
export async function rotateSecret(namespace, name, password) {
  const collection = `/api/v1/namespaces/${namespace}/secrets`;
  const found = await call("GET", `${collection}/${name}`);
  if (found.status === 404) {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { password } };
    return call("POST", collection, secret);
  }
  const { resourceVersion } = found.body.metadata;
  const previous = Buffer.from(found.body.data.password, "base64").toString();
  const change = { metadata: { resourceVersion }, stringData: { password, previous } };
  return call("PATCH", `${collection}/${name}`, change, "application/merge-patch+json");
}
