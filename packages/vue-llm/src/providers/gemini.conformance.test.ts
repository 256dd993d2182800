import { describeRecordedStreams } from '../../test/recordedStreams'
import { createGeminiProvider } from './gemini'

describeRecordedStreams('gemini', createGeminiProvider, 7)
