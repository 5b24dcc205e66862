import type { Manifest, ManifestText } from "./seeding/manifest.ts";
import { createServer, type Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";
import { clientNames } from "./service-name/client-names.ts";
import { maskedHandler } from "./service-name/masked-handler.ts";
import { maskedRequests } from "./service-name/masked-requests.ts";
import { maskedReviews } from "./service-name/masked-reviews.ts";
import { fromClient, renamedObject, toClient } from "./service-name/renaming.ts";

/** A server for clients with masked names. Its other parts, such as controllers, have the real ones. */
export function maskedServer(options: ServerOptions): Server {
  const { config, tokens, outages, log, faults, watches, deliveries } = options;
  outages.nameAs(fromClient);
  tokens.nameAs(clientNames("svc").real);
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
    loggedHandler: (how) => asMasked(server.loggedHandler(how)),
  };
}

/** A manifest with the real names. */
function realEntry(entry: Manifest | ManifestText): Manifest | ManifestText {
  if ("text" in entry) return { ...entry, text: fromClient(entry.text) };
  return { ...entry, object: renamedObject(entry.object, fromClient) };
}
