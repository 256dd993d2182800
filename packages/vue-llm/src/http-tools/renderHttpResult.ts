import { requestError } from './credentials'
import type { HttpResultOptions } from './types'

/** What the model reads of an answer (guide §6). */
export async function renderHttpResult(
  _response: Response,
  _options: HttpResultOptions = {},
): Promise<string> {
  throw requestError('not built yet')
}
