import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { describeKubectl, kubectlMinor } from "./kubectl.ts";

const pod = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    containers: [
      { name: "a", image: "a" },
      { name: "b", image: "b" },
    ],
    ...spec,
  },
});

describeKubectl("kubectl with a cluster without kubelets", ({ cluster, file, kubectl, refusal }) => {
  let copied = "";

  beforeAll(async () => {
    await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
    await cluster.patch(
      "v1",
      "Node",
      "n",
      { status: { addresses: [{ type: "InternalIP", address: "192.0.2.1" }] } },
      { subresource: "status" },
    );
    await cluster.load([
      pod("waiting", {}),
      pod("bound", { nodeName: "n" }),
      pod("ended", { nodeName: "n" }),
    ]);
    const phase = (name: string, phase: string) =>
      cluster.patch("v1", "Pod", name, { status: { phase } }, { subresource: "status" });
    await phase("bound", "Running");
    await phase("ended", "Succeeded");
    copied = file("copied", "x");
  });

  const dial = "dial tcp 192.0.2.1:10250: connect: connection refused";
  // Since 1.31, kubectl opens WebSockets, within which a server that translates streams tells what fails.
  const unreachable = (verb: string, query: string): string =>
    (kubectlMinor ?? 0) < 31
      ? `error dialing backend: ${dial}\n`
      : `error: Internal error occurred: error sending request: Post "https://192.0.2.1:10250/${verb}/default/bound/a?${query}": ${dial}\n`;

  test("the log of an unscheduled pod is empty", async () => {
    expect(await kubectl("logs waiting -c a")).toBe("");
  });

  test.each<[command: string, text: string | RegExp]>([
    [
      "logs bound -c b",
      `Error from server: Get "https://192.0.2.1:10250/containerLogs/default/bound/b": ${dial}\n`,
    ],
    ["logs bound -c missing", "error: container missing is not valid for pod bound\n"],
    ["logs missing", /rror from server \(NotFound\): pods "missing" not found( in namespace "default")?\n$/],
    [
      "exec waiting -c a -- date",
      "Error from server (BadRequest): pod waiting does not have a host assigned\n",
    ],
    [
      "exec bound -c missing -- date",
      "Error from server (BadRequest): container missing is not valid for pod bound\n",
    ],
    ["exec ended -c a -- date", /^error: cannot exec .*in a completed pod; current phase is Succeeded\n$/],
    ["exec missing -- date", 'Error from server (NotFound): pods "missing" not found\n'],
    [
      "port-forward waiting :80",
      "error: unable to forward port because pod is not running. Current status=Pending\n",
    ],
    ["port-forward bound :80", `error: error upgrading connection: error dialing backend: ${dial}\n`],
    ["port-forward missing :80", 'Error from server (NotFound): pods "missing" not found\n'],
    ["cp FILE missing:/tmp/x -c a", 'Error from server (NotFound): pods "missing" not found\n'],
  ])("%s", async (command, text) => {
    const words = command.replace("FILE", copied);
    const said = await refusal(words);
    if (typeof text === "string") expect(said).toBe(text);
    else expect(said).toMatch(text);
  });

  const tar = "command=tar&command";
  test.each([
    ["exec bound -c a -- date", "exec", "command=date&error=1&output=1"],
    ["attach bound -c a", "attach", "error=1&output=1"],
    [
      "cp FILE bound:/tmp/x -c a",
      "exec",
      `${tar}=-xmf&command=-&command=-C&command=%2Ftmp&error=1&input=1&output=1`,
    ],
    ["cp bound:/etc/hosts FILE -c a", "exec", `${tar}=cf&command=-&command=%2Fetc%2Fhosts&error=1&output=1`],
  ])("%s, on a node that cannot be reached", async (command, verb, query) => {
    expect(await refusal(command.replace("FILE", copied))).toContain(unreachable(verb, query));
  });
});
