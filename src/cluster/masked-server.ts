import type { Manifest, ManifestText } from "./seeding/manifest.ts";
import { type ClientNames, createServer, type Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";
import { maskedHandler } from "./service-name/masked-handler.ts";

import { mapped, maskedRequests } from "./service-name/masked-requests.ts";
import { maskedReviews } from "./service-name/masked-reviews.ts";
import { fromClient, renamedObject, toClient } from "./service-name/renaming.ts";

/** Plain data that tests give and get. Only texts and names in it change. */
const clientNames: ClientNames = {
  shown: (data) => mapped(data, toClient) as typeof data,
  real: (data) => mapped(data, fromClient) as typeof data,
};

/** A server for clients with masked names. Its other parts, such as controllers, have the real ones. */
export function maskedServer(options: ServerOptions): Server {
  const { config, tokens, outages, log, faults, watches, deliveries } = options;
  outages.nameAs(fromClient);
  tokens.nameAs(clientNames.real);
  for (const part of [log, faults, watches, deliveries]) part.showAs(maskedRequests);
  const server = createServer({
    ...options,
    config: { ...config, objects: config.objects.map(realEntry), reviewWire: maskedReviews },
  });
  const asMasked = (handler: Server["handler"]) => maskedHandler(handler, config.catalog);
  return {
    ...server,
    handler: asMasked(server.handler),
    ownHandler: asMasked(server.ownHandler),
    load: (entries, how) => server.load(entries.map(realEntry), how),
    resourceOf: async (apiVersion, ...kind) => {
      try {
        return await server.resourceOf(fromClient(apiVersion), ...kind);
      } catch (error) {
        if (error instanceof Error) error.message = toClient(error.message);
        throw error;
      }
    },
    names: clientNames,
    loggedHandler: (how) => asMasked(server.loggedHandler(how)),
  };
}

/** A manifest with the real names. */
function realEntry(entry: Manifest | ManifestText): Manifest | ManifestText {
  if ("text" in entry) return { ...entry, text: fromClient(entry.text) };
  return { ...entry, object: renamedObject(entry.object, fromClient) };
}
