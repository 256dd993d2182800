import { describeRecordedStreams } from '../../test/recordedStreams'
import { createAnthropicProvider } from './anthropic'

describeRecordedStreams('anthropic', createAnthropicProvider, 10)
