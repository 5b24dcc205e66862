import { catalogOf } from "../../src/catalog/catalog.ts";
import { QuietServer, type RawAnswer, type RawRequest } from "../conformance/quiet-server.ts";
import type { Random } from "../conformance/random.ts";
import { RandomRequests } from "../conformance/random-requests.ts";
import { namesOfPrototypes } from "../conformance/refusals.ts";
import { flawsOf } from "../conformance/well-formed.ts";
import type { Attack } from "./attack.ts";
import { SensibleRequests } from "./sensible-requests.ts";
import type { Tally } from "./tally.ts";

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const requestsInRound = 50;

/** Makes requests one after the other; it learns from the answers. */
interface Generator {
  next(): RawRequest;
  learn?(request: RawRequest, answer: RawAnswer): void;
}

/** Requests that are mostly wrong: the answers are well-formed, and refused ones change nothing. */
export const randomRequests: Attack = againstServer(
  "random requests",
  (random) => new RandomRequests(random),
);

/** Requests of ordinary clients in every format, which mostly succeed. */
export const sensibleRequests: Attack = againstServer(
  "sensible requests",
  (random) => new SensibleRequests(random),
  (tally) => tally.answers["2xx"] > 0.6 * tally.tried,
);

/** @param suffices Whether the answers are those that the generator is for. */
function againstServer(
  name: string,
  generatorOf: (random: Random) => Generator,
  suffices: (tally: Tally) => boolean = () => true,
): Attack {
  return {
    name,
    start: async (random, tally) => {
      const server = new QuietServer({ featureGates: { CBORServingAndStorage: true } });
      const generator = generatorOf(random);
      const prototypes = namesOfPrototypes();
      let revision = await server.revision();
      const snapshot = server.cluster.snapshot();
      return {
        round: async () => {
          for (let count = 0; count < requestsInRound; count += 1) {
            const request = generator.next();
            const answer = await asked(server, request, tally);
            generator.learn?.(request, answer);
            const now = await server.revision();
            if (now !== revision && !mayWrite(request, answer))
              tally.found("malformed", `a refused request wrote: ${inShort(request, answer)}`);
            revision = now;
          }
        },
        settle: async () => {
          if (namesOfPrototypes() !== prototypes || Reflect.get({}, "polluted") !== undefined)
            tally.found("way in", "a prototype has changed");
          for (const target of await unreadable(server)) tally.found("malformed", `not readable: ${target}`);
          if (!suffices(tally)) tally.found("malformed", "too few requests succeed to be worth the name");
          server.cluster.restore(snapshot);
          server.cluster.compact();
          revision = await server.revision();
        },
        close: () => server.cluster.close(),
      };
    },
  };
}

async function asked(server: QuietServer, request: RawRequest, tally: Tally): Promise<RawAnswer> {
  const started = performance.now();
  const answer = await server.ask(request);
  tally.count(answer.status, performance.now() - started, `${request.method} ${request.target}`);
  for (const flaw of flawsOf(answer, request))
    tally.found("malformed", `${flaw}: ${inShort(request, answer)}`);
  return answer;
}

/** An unavailable representation is detected when the answer is encoded: upstream has stored the object by then. */
function mayWrite({ method }: RawRequest, { status, text }: RawAnswer): boolean {
  const isDone = status < 400 || /you requested Partial|Unable to convert to Table/.test(text);
  return isDone && !readingMethods.has(method);
}

/** The resources that can no longer be listed. */
async function unreadable(server: QuietServer): Promise<readonly string[]> {
  const catalog = catalogOf({ release: "1.32" });
  const found: string[] = [];
  for (const { group, version, resource, verbs } of catalog
    .groupVersions()
    .flatMap((gv) => catalog.resources(gv))) {
    if (!verbs.includes("list")) continue;
    const target = `${group === "" ? "/api" : `/apis/${group}`}/${version}/${resource}`;
    const { status } = await server.ask({ method: "GET", target });
    if (status !== 200) found.push(`${target}: ${status}`);
  }
  return found;
}

function inShort({ method, target, headers, body }: RawRequest, { status, text }: RawAnswer): string {
  const sent = typeof body === "string" ? body : Buffer.from(body ?? []).toString("latin1");
  return `${method} ${target} ${JSON.stringify(headers)} ${JSON.stringify(sent.slice(0, 1000))}: ${status} ${text.slice(0, 300)}`;
}
