import { objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { FaultHandle } from "../../scenario/fault.ts";
import { namedScenario, parseScenario } from "../../scenario/named-scenarios.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { ControlError, checked } from "./control-error.ts";
import type { ControlCall, ControlRoute } from "./control-route.ts";
import { faultList, faultSchema } from "./control-schemas.ts";
import type { ControlContext } from "./controlled-cluster.ts";
import { Numbered } from "./numbered.ts";

const mostFaults = 1000;

/** A fault with an id. It is pending until the response to its request has been sent, if it closes connections. */
interface NumberedFault {
  readonly scenario: Scenario;
  handle: FaultHandle | undefined;
}

/** Injects, lists, checks and removes faults. */
export class FaultRoutes<Snapshot> {
  readonly #context: ControlContext<Snapshot>;
  readonly #faults = new Numbered<NumberedFault>("fault", mostFaults);

  constructor(context: ControlContext<Snapshot>) {
    this.#context = context;
  }

  readonly routes: readonly ControlRoute[] = [
    {
      method: "GET",
      path: "faults",
      operation: "listFaults",
      summary: "Lists the faults in the order of injection, including those that are over.",
      success: { status: 200, schema: faultList },
      run: () => ({ faults: this.#all().map(([id, fault]) => faultJson(id, fault)) }),
    },
    {
      method: "POST",
      path: "faults",
      operation: "injectFault",
      summary: "Injects a failure into requests of clients from now on.",
      body: {
        properties: {
          scenario: {
            type: "string",
            description:
              'The name of a failure, or text with options: "conflict:resource=deployments,times=2". The names are those of `kubedouble/scenarios`.',
          },
          options: {
            type: "object",
            description: 'The options of the failure: {"resource": "deployments", "times": 2}.',
          },
        },
        required: ["scenario"],
      },
      success: { status: 201, schema: faultSchema },
      errors: { 409: "There are too many faults." },
      run: (call) => this.#inject(call),
    },
    {
      method: "GET",
      path: "faults/{id}",
      operation: "readFault",
      summary: "Shows how often a fault has struck, and whether it is over.",
      success: { status: 200, schema: faultSchema },
      errors: { 404: "There is no such fault." },
      run: ({ id }) => faultJson(id, this.#get(id)),
    },
    {
      method: "DELETE",
      path: "faults/{id}",
      operation: "removeFault",
      summary: "Removes a fault; it strikes no further request.",
      success: { status: 204 },
      errors: { 404: "There is no such fault." },
      run: ({ id }) => {
        this.#get(id).handle?.remove();
        this.#faults.remove(id);
        return undefined;
      },
    },
    {
      method: "POST",
      path: "check",
      operation: "check",
      summary:
        "Checks, at the end of a test, that every fault has struck and that clients requested only paths that the API serves. Ends all faults.",
      body: {
        properties: {
          allowUnserved: {
            type: ["boolean", "array"],
            items: { type: "string" },
            description: "Unserved paths that clients may request; true allows all. Default: none.",
          },
        },
      },
      success: { status: 204 },
      errors: { 409: "A fault was never used, or a client requested a path that the API does not serve." },
      run: (call) => this.#check(call),
    },
  ];

  /** Ends all faults. */
  clear(): void {
    this.#context.cluster.faults.clear();
    this.#faults.clear();
  }

  #inject({ body }: ControlCall): JsonObject {
    const options = objectAt(body, "options");
    const text = textAt(body, "scenario");
    const scenario = checked(400, () =>
      options === undefined ? parseScenario(text) : namedScenario(text, options),
    );
    this.#follow();
    this.#makeRoom();
    const { cluster, port } = this.#context;
    const fault: NumberedFault = { scenario, handle: undefined };
    if (!closesThePort(scenario)) {
      fault.handle = cluster.faults.inject(scenario);
      return faultJson(this.#faults.add(fault), fault);
    }
    const id = this.#faults.add(fault);
    port.afterResponses(() => {
      if (this.#faults.all.get(id) === fault) fault.handle = cluster.faults.inject(scenario);
    });
    return faultJson(id, fault);
  }

  /** Removes faults that are over if there are too many. @throws {ControlError} if all are in force */
  #makeRoom(): void {
    if (this.#faults.all.size < mostFaults) return;
    for (const { handle } of this.#faults.all.values()) if (handle?.isOver) handle.remove();
    this.#follow();
    this.#faults.requireRoom();
  }

  #check({ body }: ControlCall): undefined {
    const allowed = body["allowUnserved"];
    // The schema admits only a boolean and a list of texts.
    const allowUnserved = (allowed ?? []) as boolean | readonly string[];
    this.#faults.clear();
    checked(409, () => this.#context.cluster.check({ allowUnserved }));
    return undefined;
  }

  #get(id: string): NumberedFault {
    this.#follow();
    return this.#faults.get(id);
  }

  #all(): readonly [id: string, fault: NumberedFault][] {
    this.#follow();
    return [...this.#faults.all];
  }

  /** Follows faults that were injected or removed in another way, so that ids are in the order of injection. */
  #follow(): void {
    const { injected } = this.#context.cluster.faults;
    for (const [id, { handle }] of this.#faults.all)
      if (handle !== undefined && !injected.includes(handle)) this.#faults.remove(id);
    const known = new Set([...this.#faults.all.values()].map(({ handle }) => handle));
    for (const handle of injected)
      if (!known.has(handle)) this.#faults.add({ scenario: handle.scenario, handle });
  }
}

/** @throws {ControlError} for a failure that would close the port for ever */
function closesThePort({ name, milliseconds }: Scenario): boolean {
  if (name !== "down") return false;
  if (Number.isFinite(milliseconds)) return true;
  throw new ControlError(
    400,
    "down needs the option lasting here, such as lasting=5s: it closes the port of the control API as well",
  );
}

function faultJson(id: string, { scenario, handle }: NumberedFault): JsonObject {
  const { name, scope, after, times, milliseconds } = scenario;
  const shown = Object.entries(scope).map(([member, value]) => [
    member,
    value instanceof RegExp ? String(value) : value,
  ]);
  return {
    id,
    scenario: name,
    scope: Object.fromEntries(shown),
    nth: after + 1,
    times: Number.isFinite(times) ? times : "Infinity",
    ...(Number.isFinite(milliseconds) && { lasting: milliseconds }),
    hits: handle?.hits ?? 0,
    isOver: handle?.isOver ?? false,
    unaffected: (handle?.unaffected ?? []).map(({ request: { method, target }, reason }) => ({
      method,
      target,
      reason,
    })),
  };
}
