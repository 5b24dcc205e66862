import * as presets from "../../src/scenario/presets.ts";
import type { Failure } from "./failure.ts";
import { nextIfAny, streaming, take, watchBegin, watching } from "./failure-encounters.ts";

/** The failures of watches, as a client sees them through any transport. */
export const watchFailures = {
  bareStatus: {
    what: "a Status in a watch without an event around it",
    meet: watching(() => presets.bareStatus({ afterEvents: 1 }), 4),
    expected: ["ADDED a", "Status", "ADDED b", "ADDED c", "ADDED late"],
  },
  bookmarks: {
    what: "early and frequent bookmarks with bare objects",
    meet: watching(() => presets.bookmarks({ every: 2 }), 4),
    expected: ["ADDED a", "ADDED b", "BOOKMARK", "ADDED c", "ADDED late"],
  },
  closeWatch: {
    what: "a watch ends cleanly at an unexpected moment",
    meet: watching(() => presets.closeWatch({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "ended"],
  },
  doubledInitialEventsEnd: {
    what: "a watch reports the end of its initial events twice",
    meet: watching(presets.doubledInitialEventsEnd, 5, streaming),
    expected: [...watchBegin, "INITIAL END", "INITIAL END", "ADDED late"],
  },
  laggingReplica: {
    what: "a replica stops updating and catches up later",
    meet: async (world) => {
      const fault = world.inject(presets.laggingReplica({ resource: "configmaps" }));
      const watch = await world.watch("resourceVersion=0");
      const seen = [...(await take(watch, 3)), await nextIfAny(world, watch)];
      fault.remove();
      return seen;
    },
    expected: [...watchBegin, "silent"],
  },
  largeEvent: {
    what: "a large event, 2 MiB by default",
    meet: watching(() => presets.largeEvent({ afterEvents: 1 }), 3),
    expected: [...watchBegin, "ADDED late"],
  },
  lateInitialEventsEnd: {
    what: "a watch reports the end of its initial events late",
    meet: async (world) => {
      world.inject(presets.lateInitialEventsEnd());
      const watch = await world.watch(streaming);
      return [...(await take(watch, 3)), await nextIfAny(world, watch), await watch.next()];
    },
    expected: [...watchBegin, "ADDED late", "INITIAL END"],
  },
  noInitialEventsEnd: {
    what: "a watch never reports the end of its initial events",
    meet: watching(presets.noInitialEventsEnd, 3, streaming),
    expected: [...watchBegin, "ADDED late"],
  },
  refuseInitialEvents: {
    what: "422: the server does not support `sendInitialEvents`",
    meet: watching(presets.refuseInitialEvents, 0, streaming),
    expected: ["422"],
  },
  slowConsumer: {
    what: "a client that does not read in time loses its watch",
    meet: async (world) => {
      world.inject(presets.slowConsumer());
      const watch = await world.watch("resourceVersion=0");
      const events = [await watch.next()];
      // More than the buffers of a connection hold.
      const text = "x".repeat(900_000);
      for (let n = 0; n < 12; n++) await world.create(`large-${n}`, { text });
      await world.eventsHaveCome();
      while (!["ended", "ADDED large-11"].includes(events.at(-1) ?? "")) events.push(await watch.next());
      return [events.at(-1) === "ended" ? "events are missing" : "all events"];
    },
    expected: ["events are missing"],
    buffered: ["all events"],
    cells: {
      fetch: "yes",
      undici: "yes",
      "MSW 2": "unless MSW buffers",
      "MSW 3": "unless MSW buffers",
      "nock 14": "unless nock buffers",
      "nock 15": "unless nock buffers",
      "HTTP/1.1": "after the buffers are full",
      "HTTP/2": "after the buffers are full",
    },
  },
  streamError: {
    what: "an ERROR event with the code 500 or 429",
    meet: watching(() => presets.streamError({ afterEvents: 1 }), 2),
    expected: ["ADDED a", "ERROR 500", "ended"],
  },
  unknownEvent: {
    what: "an event of an unknown type",
    meet: watching(presets.unknownEvent, 4),
    expected: ["FUTURE", ...watchBegin, "ADDED late"],
  },
  watchGone: {
    what: "410 as a status or as an event, and the watch ends or stays open",
    meet: watching(() => presets.watchGone({ afterEvents: 1, close: false }), 2),
    expected: ["ADDED a", "ERROR 410", "silent"],
  },
} satisfies { readonly [name: string]: Failure };
