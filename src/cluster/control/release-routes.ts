import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Direction, ReleaseChange, ReleaseChangeOptions } from "../contract/release-change-options.ts";
import { ControlError } from "./control-error.ts";
import type { ControlCall, ControlRoute } from "./control-route.ts";
import type { ControlContext } from "./controlled-cluster.ts";

const text: JsonObject = { type: "string" };

const releaseSchema: JsonObject = {
  type: "object",
  properties: { release: text },
  required: ["release"],
};

const storedObject = { apiVersion: text, kind: text, namespace: text, name: text };

const releaseChangeSchema: JsonObject = {
  type: "object",
  properties: {
    from: text,
    release: text,
    unreadable: {
      type: "array",
      description: "Objects in a version that the release does not know, and the error of the server.",
      items: { type: "object", properties: { ...storedObject, reason: text } },
    },
    unserved: {
      type: "array",
      description: "Objects of resources that the release does not serve.",
      items: { type: "object", properties: { ...storedObject, resource: text } },
    },
  },
  required: ["from", "release", "unreadable", "unserved"],
};

/** The release that the cluster emulates, and the way to others. */
export function releaseRoutes<Snapshot>({ cluster }: ControlContext<Snapshot>): readonly ControlRoute[] {
  const change = async (direction: Direction, { body }: ControlCall): Promise<JsonObject> => {
    const minors = textAt(body, "minors");
    // The schema of the body allows only the values of the option.
    const options = (minors === "" ? {} : { minors }) as ReleaseChangeOptions;
    try {
      return shown(await cluster.changeRelease(direction, textAt(body, "release"), options));
    } catch (error) {
      throw new ControlError(400, messageOf(error));
    }
  };
  const routeOf = (direction: Direction, summary: string): ControlRoute => ({
    method: "POST",
    path: direction,
    operation: direction,
    summary,
    body: {
      properties: {
        release: { type: "string", description: 'Such as "1.33".' },
        minors: {
          type: "string",
          enum: ["one", "each", "skip"],
          description:
            'Further than one minor release: an error, through each release between, or at once. Default: "one".',
        },
      },
      required: ["release"],
    },
    success: { status: 200, schema: releaseChangeSchema },
    run: (call) => change(direction, call),
  });
  return [
    {
      method: "GET",
      path: "release",
      operation: "readRelease",
      summary: "Shows the release of Kubernetes that the cluster emulates.",
      success: { status: 200, schema: releaseSchema },
      run: () => ({ release: cluster.release }),
    },
    routeOf(
      "upgrade",
      "Goes on as a server of a newer release with the same objects. Open watches end. The response comes when the server is ready.",
    ),
    routeOf("downgrade", "Goes on as a server of an older release with the same objects."),
  ];
}

function shown({ from, release, unreadable, unserved }: ReleaseChange): JsonObject {
  return {
    from,
    release,
    unreadable: unreadable.map((object) => ({ ...object })),
    unserved: unserved.map((object) => ({ ...object })),
  };
}
