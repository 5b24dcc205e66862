/** A server in the process of the test, behind an APIService: a function as the web's fetch calls it. */
export type ApiServerFunction = (request: Request) => Response | Promise<Response>;
