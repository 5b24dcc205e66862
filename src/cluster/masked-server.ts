import type { Manifest, ManifestText } from "./seeding/manifest.ts";
import { createServer, type Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";
import { maskedHandler } from "./service-name/masked-handler.ts";
import { maskedLog } from "./service-name/masked-log.ts";
import { maskedReviews } from "./service-name/masked-reviews.ts";
import { fromClient, renamedObject } from "./service-name/renaming.ts";

/** A server for clients with masked names. Its other parts, such as controllers, have the real ones. */
export function maskedServer(options: ServerOptions): Server {
  const { config, log } = options;
  log.showAs(maskedLog);
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
    resourceOf: (apiVersion, ...kind) => server.resourceOf(fromClient(apiVersion), ...kind),
    loggedHandler: (how) => asMasked(server.loggedHandler(how)),
  };
}

/** A manifest with the real names. */
function realEntry(entry: Manifest | ManifestText): Manifest | ManifestText {
  if ("text" in entry) return { ...entry, text: fromClient(entry.text) };
  return { ...entry, object: renamedObject(entry.object, fromClient) };
}
