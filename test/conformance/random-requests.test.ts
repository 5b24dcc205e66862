import { expect, test } from "vitest";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { identifiers } from "./masked-names.ts";
import { QuietServer, type RawAnswer, type RawRequest } from "./quiet-server.ts";
import { Random } from "./random.ts";
import { RandomRequests } from "./random-requests.ts";
import { namesOfPrototypes } from "./refusals.ts";
import { flawsOf } from "./well-formed.ts";

const requests = identifiers === "svc" ? 2_000 : 10_000;
/** `RANDOM_SEED` selects other requests. */
const seed = Number(process.env["RANDOM_SEED"] ?? 32);
const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

test(`${requests} random requests get well-formed responses, and refused ones change nothing`, async () => {
  const server = new QuietServer();
  const random = new RandomRequests(new Random(seed));
  const prototypes = namesOfPrototypes();
  const counts = new Map<number, number>();
  const findings: string[] = [];
  let revision = await server.revision();
  for (let count = 0; count < requests; count += 1) {
    const request = random.next();
    const answer = await server.ask(request);
    const flaws = [...flawsOf(answer, request)];
    const now = await server.revision();
    // An unavailable representation is detected when the response is encoded: upstream has stored the object by then.
    const isWritten =
      answer.status < 400 || /you requested Partial|Unable to convert to Table/.test(answer.text);
    const mayWrite = isWritten && !readingMethods.has(request.method);
    if (now !== revision && !mayWrite) flaws.push(`the store went from ${revision} to ${now}`);
    revision = now;
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    if (flaws.length > 0)
      findings.push(`${count}: ${flaws.join("; ")}\n${shown(request)}\n${shownAnswer(answer)}`);
  }
  expect(findings).toEqual([]);
  expect(namesOfPrototypes()).toBe(prototypes);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(await unreadable(server)).toEqual([]);
  console.log(
    [...counts]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
  );
  // The generator is useless if no requests succeed, or all of them.
  for (const status of [200, 201, 400, 404, 405, 406, 409, 415, 422])
    expect(counts.get(status)).toBeGreaterThan(10);
}, 120_000);

/** The resources that can no longer be listed in some format. */
async function unreadable(server: QuietServer): Promise<readonly string[]> {
  const catalog = catalogOf({ release: "1.32" });
  const found: string[] = [];
  for (const { group, version, resource, verbs } of catalog
    .groupVersions()
    .flatMap((gv) => catalog.resources(gv))) {
    if (!verbs.includes("list")) continue;
    const target = `${group === "" ? "/api" : `/apis/${group}`}/${version}/${resource}`;
    for (const accept of [
      "application/json",
      "application/yaml",
      "application/vnd.kubernetes.protobuf",
      "application/json;as=Table;g=meta.k8s.io;v=v1",
    ]) {
      const request: RawRequest = { method: "GET", target, headers: { accept } };
      const answer = await server.ask(request);
      const flaws = flawsOf(answer, request);
      if (answer.status !== 200 || flaws.length > 0)
        found.push(
          `${target} as ${accept}: ${answer.status} ${flaws.join("; ")} ${answer.text.slice(0, 300)}`,
        );
    }
  }
  return found;
}

function shownAnswer({ status, text }: RawAnswer): string {
  return `${status} ${text.slice(0, 300)}`;
}

function shown({ method, target, headers, body }: RawRequest): string {
  const text = typeof body === "string" ? body : Buffer.from(body ?? []).toString("latin1");
  return `${method} ${target}\n${JSON.stringify(headers)}\n${JSON.stringify(text.slice(0, 2000))}`;
}
