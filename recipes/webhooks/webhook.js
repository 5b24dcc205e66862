import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const annotations = "/metadata/annotations";

/** What each path answers to a request of admission; nothing if it never answers. */
const webhooks = {
  "/team": ({ object }) => {
    const team = object.metadata.labels?.team;
    if (team === undefined) return { allowed: false, status: { message: "the label team is missing" } };
    return { allowed: true, patch: [{ op: "add", path: annotations, value: { team } }] };
  },
  // This one has a bug: not every object has labels.
  "/crash": ({ object }) => ({ allowed: object.metadata.labels.team !== "" }),
  // This one waits for an answer that never comes.
  "/hang": () => undefined,
  // This one changes the object with every call.
  "/count": ({ object }) => {
    const calls = String(Number(object.metadata.annotations?.calls ?? 0) + 1);
    return { allowed: true, patch: [{ op: "add", path: annotations, value: { calls } }] };
  },
};

function reviewOf({ apiVersion, kind, request }, answer) {
  const { patch, ...rest } = answer;
  const encoded = patch && { patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) };
  return { apiVersion, kind, response: { uid: request.uid, ...rest, ...encoded } };
}

async function respond(request, response) {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  const review = JSON.parse(text);
  const answer = webhooks[new URL(request.url, "https://webhook").pathname](review.request);
  if (answer === undefined) return;
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(reviewOf(review, answer)));
}

const [certificate, key] = process.argv.slice(2);
const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) });
server.on("request", (request, response) => {
  respond(request, response).catch((error) => response.writeHead(500).end(error.message));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
