import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { NodeNetworks } from "../nodes/node-networks.ts";
import { StageMemory } from "./stage-memory.ts";
import { StagePlayer } from "./stage-player.ts";
import { keyOf, StagedObjects } from "./staged-objects.ts";

/** As many stages are played for an object at one time of the clock: stages without a delay could follow each other for ever. */
const mostPlays = 1000;
const endless = `stages of this object have been played ${mostPlays} times at the same time; one of them needs a delay`;

/** Plays Stages of KWOK. Each change of an object chooses its next stage. */
export function stageController(environment: SimulationEnvironment, memory: ControllerMemory): Controller {
  const networks = memory.part("node-networks", () => new NodeNetworks());
  const known = memory.part("stages", () => new StageMemory());
  const player = new StagePlayer(environment, memory, networks, known);
  const objects = new StagedObjects(environment, known);
  return {
    name: "kwok",
    observe: ({ type, object }) => {
      if (environment.stages.current.stages.length === 0) return [];
      if (type === "put") return objects.observe(object);
      const address = known.forget(keyOf(object), object);
      if (address !== undefined) networks.release(address);
      return [];
    },
    // Stages have come or gone.
    observeRelease: () => objects.all(),
    reconcile: async (key) => {
      const object = objects.at(key);
      if (object === undefined) return undefined;
      const { stage, due } = objects.jobOf(key, object);
      if (due === undefined || stage === undefined) return undefined;
      const now = environment.clock.now();
      if (due > now) return due - now;
      const count = objects.played(key);
      if (count < mostPlays) await player.play(stage, object);
      else if (count === mostPlays) await player.fail(stage, object, endless);
      return undefined;
    },
  };
}
